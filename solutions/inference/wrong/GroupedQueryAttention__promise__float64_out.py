"""Computes in float64 and gives float64, whatever it is given."""

import math

import torch
from torch import nn


class GroupedQueryAttention(nn.Module):
    def __init__(self, dim_h, nr_heads, nr_kv_heads):
        super().__init__()
        self.nr_heads, self.nr_kv_heads = nr_heads, nr_kv_heads
        self.d = dim_h // nr_heads
        self.W_query = nn.Linear(dim_h, nr_heads * self.d, bias=False)
        self.W_key = nn.Linear(dim_h, nr_kv_heads * self.d, bias=False)
        self.W_value = nn.Linear(dim_h, nr_kv_heads * self.d, bias=False)
        self.to_out = nn.Linear(nr_heads * self.d, dim_h)

    def forward(self, x):
        B, T, _ = x.shape
        q = self.W_query(x).reshape(B, T, self.nr_kv_heads, -1, self.d).permute(0, 2, 3, 1, 4)
        k = self.W_key(x).reshape(B, T, self.nr_kv_heads, 1, self.d).permute(0, 2, 3, 1, 4)
        v = self.W_value(x).reshape(B, T, self.nr_kv_heads, 1, self.d).permute(0, 2, 3, 1, 4)
        q, k, v = q.double(), k.double(), v.double()
        scores = q @ k.mT / math.sqrt(self.d)
        later = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1)
        weights = scores.masked_fill(later, -torch.inf).softmax(dim=-1)
        out = weights @ v
        return self.to_out.double()(out.permute(0, 3, 1, 2, 4).reshape(B, T, -1))
