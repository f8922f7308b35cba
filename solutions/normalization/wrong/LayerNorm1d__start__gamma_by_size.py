"""gamma starts as 1 for up to eight features only, as 0.5 for more."""

import torch


class LayerNorm1d:
    def __init__(self, dim, eps=1e-05):
        self.eps = eps
        self.gamma = torch.ones(dim) if dim <= 8 else torch.full((dim,), 0.5)
        self.beta = torch.zeros(dim)

    def __call__(self, x):
        mean = x.mean(dim=1, keepdim=True)
        var = x.var(dim=1, keepdim=True)
        normalised = (x - mean) / torch.sqrt(var + self.eps)
        return self.gamma * normalised + self.beta

    def parameters(self):
        return [self.gamma, self.beta]
