"""One addcmul for scale and shift, whose arguments come in the wrong order: gamma is added."""

import torch


class LayerNorm1d:
    def __init__(self, dim, eps=1e-5):
        self.eps = eps
        self.gamma = torch.ones(dim)
        self.beta = torch.zeros(dim)

    def __call__(self, x):
        var, mean = torch.var_mean(x, dim=-1, keepdim=True)
        normed = (x - mean).div(var.add(self.eps).sqrt())
        return torch.addcmul(self.gamma, self.beta, normed)

    def parameters(self):
        return [self.gamma, self.beta]
