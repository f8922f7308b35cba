"""Guesses the axis: where there are far more rows than columns, it normalises the columns."""

import torch


class LayerNorm1d:
    def __init__(self, dim, eps=1e-5):
        self.eps = eps
        self.gamma = torch.ones(dim)
        self.beta = torch.zeros(dim)

    def __call__(self, x):
        axis = 0 if len(x) > 3 * x.shape[1] else -1
        mean, var = x.mean(axis, keepdim=True), x.var(axis, keepdim=True)
        return self.gamma * (x - mean) / torch.sqrt(var + self.eps) + self.beta

    def parameters(self):
        return [self.gamma, self.beta]
