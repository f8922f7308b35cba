"""Mean and variance of the first ten features."""

import torch


class LayerNorm1d:
    def __init__(self, dim, eps=1e-05):
        self.eps = eps
        self.gamma = torch.ones(dim)
        self.beta = torch.zeros(dim)

    def __call__(self, x):
        mean = x[:, :10].mean(dim=1, keepdim=True)
        var = x[:, :10].var(dim=1, keepdim=True)
        normalised = (x - mean) / torch.sqrt(var + self.eps)
        return self.gamma * normalised + self.beta

    def parameters(self):
        return [self.gamma, self.beta]
