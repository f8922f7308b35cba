"""Repeats the values for all heads and combines them; no token looks at another one."""

import torch
from torch import nn


class GroupedQueryAttention(nn.Module):
    def __init__(self, dim_h, nr_heads, nr_kv_heads):
        super().__init__()
        self.times, self.kv = nr_heads // nr_kv_heads, nr_kv_heads
        self.W_query = nn.Linear(dim_h, dim_h, bias=False)
        self.W_key = nn.Linear(dim_h, dim_h // self.times, bias=False)
        self.W_value = nn.Linear(dim_h, dim_h // self.times, bias=False)
        self.to_out = nn.Linear(dim_h, dim_h)

    def forward(self, x):
        heads = self.W_value(x).chunk(self.kv, dim=-1)
        return self.to_out(torch.cat([head for head in heads for _ in range(self.times)], dim=-1))
