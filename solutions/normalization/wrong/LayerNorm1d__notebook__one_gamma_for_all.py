"""A single gamma and a single beta serve all features."""

import torch


class LayerNorm1d:
    def __init__(self, dim, eps=1e-5):
        self.eps = eps
        self.gamma, self.beta = torch.ones(1), torch.zeros(1)

    def __call__(self, x):
        mean, var = x.mean(1, keepdim=True), x.var(1, keepdim=True)
        return self.gamma * (x - mean) / torch.sqrt(var + self.eps) + self.beta

    def parameters(self):
        return [self.gamma, self.beta]
