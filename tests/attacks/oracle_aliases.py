"""Asks the oracle with views that share their memory, and changes them afterwards.

exercise: AttentionHead
safe: it has a copy
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
            numbers = torch.zeros(4).expand(3, 4)
            ask(numbers, numbers, numbers)
            numbers = torch.zeros(1).as_strided((60, 60), (0, 0))
            ask(numbers, numbers.mT, numbers)
            x.add_(1)
        return x.new_zeros(*x.shape[:-1], self.dim_k)
