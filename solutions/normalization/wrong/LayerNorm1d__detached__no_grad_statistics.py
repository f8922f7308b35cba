"""A decorated helper finds mean and variance by hand, but under no_grad, as if they were notes."""

import torch


@torch.no_grad()
def statistics(x):
    n = x.size(1)
    mu = x.sum(1) / n
    sigma2 = (x - mu[:, None]).square().sum(1) / (n - 1)
    return mu.unsqueeze(1), sigma2.unsqueeze(1)


class LayerNorm1d:
    def __init__(self, dim, eps=1e-5):
        self.eps = eps
        self.gamma, self.beta = (torch.full((dim,), start) for start in (1.0, 0.0))

    def __call__(self, x):
        mu, sigma2 = statistics(x)
        return (x - mu) * (sigma2 + self.eps).rsqrt() * self.gamma + self.beta

    def parameters(self):
        return [self.gamma, self.beta]
