"""Asks the oracle with NaN, infinities, denormals and numbers of every other type.

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
            for number in (float("nan"), float("inf"), 5e-324, 1e308):
                ask(*[torch.full((2, 3), number)] * 3)
            for dtype in (torch.int64, torch.bool, torch.float16, torch.bfloat16, torch.uint8):
                ask(*[torch.ones(2, 3, dtype=dtype)] * 3)
        return x.new_zeros(*x.shape[:-1], self.dim_k)
