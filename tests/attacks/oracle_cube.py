"""Asks the oracle for shapes that multiply when they are broadcast to one another.

exercise: AttentionHead
safe: what comes of a question is bounded before it is computed
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
            for n in (16, 64, 400, 4096):
                Q, K = torch.zeros(n, 1, 1, 1, 1), torch.zeros(1, n, 1, 1, 1)
                ask(Q, K, torch.zeros(1, 1, n, 1, 1))
        return x.new_zeros(*x.shape[:-1], self.dim_k)
