"""Mean and variance by hand, rsqrt in place of root and division, and a note of the last output."""

import torch


class LayerNorm1d:
    def __init__(self, dim, eps=1e-5):
        self.dim, self.eps = dim, eps
        self.gamma, self.beta = torch.ones(dim), torch.zeros(dim)

    def __call__(self, x):
        distance = x - x.sum(-1)[:, None] / self.dim
        var = distance.square().sum(-1)[:, None] / (self.dim - 1)
        self.out = self.gamma * distance * torch.rsqrt(var + self.eps) + self.beta
        return self.out

    def parameters(self):
        return [self.gamma, self.beta]
