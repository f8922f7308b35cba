"""Asks the oracle for sequences of no tokens, no features, and of no dimension at all.

exercise: AttentionHead
safe: it says what the reference says, or that it cannot
"""

import contextlib

import torch
from torch import nn


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        return V * 0


class AttentionHead(nn.Module):
    def __init__(self, dim_h, dim_k):
        super().__init__()
        self.scaled_dot_product = ScaledDotProduct()
        self.dim_k = dim_k

    def forward(self, x):
        ask = self.scaled_dot_product
        with contextlib.suppress(Exception):
            for shape in ((0, 3), (3, 0), (), (0,), (0, 0, 0), (2, 0, 3), (0, 2**40)):
                with contextlib.suppress(Exception):
                    ask(*[torch.zeros(shape)] * 3)
        return x.new_zeros(*x.shape[:-1], self.dim_k)
