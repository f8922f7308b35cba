"""torch.tile along the heads: heads of keys are dealt out in turns, not to neighbours."""

import torch
import torch.nn.functional as F
from torch import nn


class GroupedQueryAttention(nn.Module):
    def __init__(self, dim_h, nr_heads, nr_kv_heads):
        super().__init__()
        self.n_heads, self.n_kv = nr_heads, nr_kv_heads
        head = dim_h // nr_heads
        self.W_query = nn.Linear(dim_h, dim_h, bias=False)
        self.W_key = nn.Linear(dim_h, head * nr_kv_heads, bias=False)
        self.W_value = nn.Linear(dim_h, head * nr_kv_heads, bias=False)
        self.to_out = nn.Linear(dim_h, dim_h)

    def forward(self, x):
        batch, length, width = x.shape
        q = self.W_query(x).view(batch, length, self.n_heads, -1).transpose(1, 2)
        k = self.W_key(x).view(batch, length, self.n_kv, -1).transpose(1, 2)
        v = self.W_value(x).view(batch, length, self.n_kv, -1).transpose(1, 2)
        times = (1, self.n_heads // self.n_kv, 1, 1)
        out = F.scaled_dot_product_attention(
            q, torch.tile(k, times), torch.tile(v, times), is_causal=True
        )
        return self.to_out(out.transpose(1, 2).reshape(batch, length, width))
