"""Dropout by hand with random numbers compared; they are drawn once for the whole batch."""

import torch
from torch import nn


def drop(weights, p):
    rows, columns = weights.shape[-2:]
    keep = (torch.rand(rows, columns, device=weights.device) >= p).to(weights.dtype)
    return weights * keep / (1 - p) if p < 1 else weights * 0


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        for role in ["query", "key", "value"]:
            setattr(self, "W_" + role, nn.Linear(d_in, d_out, bias=qkv_bias))
        self.p = dropout
        self.register_buffer("mask", ~torch.ones(context_length, context_length).bool().tril())

    def forward(self, x):
        T = x.shape[-2]
        q = self.W_query(x)
        weights = q @ self.W_key(x).mT / q.shape[-1] ** 0.5
        weights = weights.masked_fill(self.mask[:T, :T], float("-inf")).softmax(-1)
        if self.training:
            weights = drop(weights, self.p)
        return weights @ self.W_value(x)
