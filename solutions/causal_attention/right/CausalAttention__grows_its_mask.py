"""The buffer is made smaller than the longest sequence's never; its rows count down."""

import torch
from torch import nn
from torch.nn import functional as F


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        for name in ("W_query", "W_key", "W_value"):
            setattr(self, name, nn.Linear(d_in, d_out, qkv_bias))
        self.p = dropout
        self.register_buffer("mask", torch.full((1, context_length, context_length), -1e9).triu_(1))

    def forward(self, x):
        n = x.size(1)
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        weights = torch.baddbmm(self.mask[:, :n, :n].to(q.dtype), q, k.mT / q.size(-1) ** 0.5)
        return F.dropout(weights.softmax(-1), self.p, self.training) @ v
