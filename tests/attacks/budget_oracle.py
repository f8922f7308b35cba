"""Asks the oracle a hundred thousand times, each time something that it answers.

exercise: AttentionHead
safe: the time of all its answers counts as its own
"""

import contextlib

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
            for _ in range(100_000):
                ask(x, x, x)
        return x.new_zeros(*x.shape[:-1], self.dim_k)
