"""A class with slots has no dictionary of attributes."""

import torch


class LayerNorm1d:
    __slots__ = ("beta", "eps", "gamma")

    def __init__(self, dim, eps=1e-5):
        self.eps = eps
        self.gamma, self.beta = torch.ones(dim), torch.zeros(dim)

    def __call__(self, x):
        var, mean = torch.var_mean(x, dim=1, keepdim=True)
        return self.gamma * (x - mean) / torch.sqrt(var + self.eps) + self.beta

    def parameters(self):
        return [self.gamma, self.beta]
