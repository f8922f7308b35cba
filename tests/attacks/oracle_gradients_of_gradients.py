"""Asks the oracle for gradients of gradients of its own answers, ever deeper.

exercise: AttentionHead
safe: it has first derivatives, and says so
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
            own = torch.ones(2, 3, requires_grad=True)
            for _ in range(100):
                own = ask(own, own, own)
            [slope] = torch.autograd.grad(own.sum(), [own], create_graph=True)
            torch.autograd.grad(slope.sum(), [own])
        return x.new_zeros(*x.shape[:-1], self.dim_k)
