"""gamma and beta belong to the class: each new layer replaces those of all others."""

import torch


class LayerNorm1d:
    gamma = beta = None

    def __init__(self, dim, eps=1e-5):
        self.eps = eps
        type(self).gamma = torch.ones(dim)
        type(self).beta = torch.zeros(dim)

    def __call__(self, x):
        mean, var = x.mean(1, keepdim=True), x.var(1, keepdim=True)
        return self.gamma * (x - mean) / (var + self.eps).sqrt() + self.beta

    def parameters(self):
        return [self.gamma, self.beta]
