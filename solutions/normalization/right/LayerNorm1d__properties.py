"""gamma and beta live in a dictionary and are shown by properties."""

import torch


def statistics(x):
    n = x.size(1)
    mu = x.sum(1) / n
    sigma2 = (x - mu[:, None]).square().sum(1) / (n - 1)
    return mu.unsqueeze(1), sigma2.unsqueeze(1)


class LayerNorm1d:
    def __init__(self, dim, eps=1e-5):
        self.eps = eps
        self.weights = {"gamma": torch.ones(dim), "beta": torch.zeros(dim)}

    gamma = property(lambda self: self.weights["gamma"])
    beta = property(lambda self: self.weights["beta"])

    def __call__(self, x):
        mu, sigma2 = statistics(x)
        return (x - mu) * (sigma2 + self.eps).rsqrt() * self.gamma + self.beta

    def parameters(self):
        return list(self.weights.values())
