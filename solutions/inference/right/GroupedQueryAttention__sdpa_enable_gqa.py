"""PyTorch's own attention, which shares keys and values itself (enable_gqa)."""

import torch.nn.functional as F
from torch import nn


class GroupedQueryAttention(nn.Module):
    def __init__(self, dim_h, nr_heads, nr_kv_heads):
        super().__init__()
        self.nr_heads, self.nr_kv_heads = nr_heads, nr_kv_heads
        width = dim_h // nr_heads
        self.to_out = nn.Linear(nr_heads * width, dim_h)
        self.W_value = nn.Linear(dim_h, nr_kv_heads * width, bias=False)
        self.W_key = nn.Linear(dim_h, nr_kv_heads * width, bias=False)
        self.W_query = nn.Linear(dim_h, nr_heads * width, bias=False)

    def forward(self, x):
        def heads(t, n):
            return t.unflatten(-1, (n, -1)).transpose(1, 2)

        q = heads(self.W_query(x), self.nr_heads)
        k, v = heads(self.W_key(x), self.nr_kv_heads), heads(self.W_value(x), self.nr_kv_heads)
        out = F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)
        return self.to_out(out.transpose(1, 2).flatten(2))
