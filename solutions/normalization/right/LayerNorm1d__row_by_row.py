"""A Python loop over the examples: no keepdim is needed where there is only one row."""

import torch


class LayerNorm1d:
    def __init__(self, dim, eps=1e-5):
        self.eps = eps
        self.gamma = torch.ones(dim, requires_grad=True)
        self.beta = torch.zeros(dim, requires_grad=True)

    def one(self, row):
        return (row - row.mean()) / (row.var() + self.eps) ** 0.5 * self.gamma + self.beta

    def __call__(self, x):
        return torch.stack([self.one(row) for row in x])

    def parameters(self):
        return [self.gamma, self.beta]
