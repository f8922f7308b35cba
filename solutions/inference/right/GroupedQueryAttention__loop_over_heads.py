"""One head of queries after the other, with slices of the layers' results."""

import math

import torch
from torch import nn


class GroupedQueryAttention(nn.Module):
    def __init__(self, dim_h, nr_heads, nr_kv_heads):
        super().__init__()
        self.nr_heads = nr_heads
        self.share = nr_heads // nr_kv_heads
        self.size = dim_h // nr_heads
        self.W_query = nn.Linear(dim_h, dim_h, bias=False)
        self.W_key = nn.Linear(dim_h, nr_kv_heads * self.size, bias=False)
        self.W_value = nn.Linear(dim_h, nr_kv_heads * self.size, bias=False)
        self.to_out = nn.Linear(dim_h, dim_h)

    def forward(self, x):
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
        length = x.shape[1]
        hidden = torch.full((length, length), -torch.inf, dtype=x.dtype, device=x.device).triu(1)
        found = []
        for h in range(self.nr_heads):
            own = slice(h * self.size, (h + 1) * self.size)
            g = h // self.share
            shared = slice(g * self.size, (g + 1) * self.size)
            scores = queries[..., own] @ keys[..., shared].mT / math.sqrt(self.size) + hidden
            found.append(torch.softmax(scores, dim=-1) @ values[..., shared])
        return self.to_out(torch.cat(found, dim=-1))
