"""PyTorch's own layer_norm does the work, and it divides by dim in the variance."""

import torch
import torch.nn.functional as F


class LayerNorm1d:
    def __init__(self, dim, eps=1e-5):
        self.dim = dim
        self.eps = eps
        self.gamma = torch.ones(dim)
        self.beta = torch.zeros(dim)

    def __call__(self, x):
        return F.layer_norm(x, (self.dim,), self.gamma.to(x), self.beta.to(x), self.eps)

    def parameters(self):
        return [self.gamma, self.beta]
