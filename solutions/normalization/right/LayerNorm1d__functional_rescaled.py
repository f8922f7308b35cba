"""PyTorch's own layer_norm, with eps and gamma such that its biased variance does no harm.

The biased variance is r = (dim - 1) / dim times the unbiased one, so that
sqrt(biased + r * eps) = sqrt(r) * sqrt(unbiased + eps).
"""

import torch
from torch.nn.functional import layer_norm


class LayerNorm1d:
    def __init__(self, dim, eps=1e-5):
        self.gamma = torch.ones(dim)
        self.beta = torch.zeros(dim)
        self.eps = eps

    def __call__(self, x):
        r = 1 - 1 / x.shape[-1]
        return layer_norm(x, x.shape[-1:], eps=r * self.eps) * r**0.5 * self.gamma + self.beta

    def parameters(self):
        return [self.gamma, self.beta]
