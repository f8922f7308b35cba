"""The variance as the squared length of what is left of each row without its mean."""

import torch


class LayerNorm1d:
    def __init__(self, dim, eps=1e-5):
        self.dim, self.eps = dim, eps
        self.gamma = torch.ones(dim)
        self.beta = torch.zeros(dim)

    def __call__(self, x):
        rest = x - x.sum(1, keepdim=True) / self.dim
        var = torch.einsum("nd,nd->n", rest, rest)[:, None] / (self.dim - 1)
        return self.beta + self.gamma * rest * (var + self.eps).pow(-0.5)

    def parameters(self):
        yield self.gamma
        yield self.beta
