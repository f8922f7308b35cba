"""Splits the queries into groups by einops and multiplies by einsum; nothing is repeated."""

import torch
from einops import rearrange
from torch import einsum, nn


class GroupedQueryAttention(nn.Module):
    def __init__(self, dim_h, nr_heads, nr_kv_heads):
        super().__init__()
        self.g, self.d = nr_kv_heads, dim_h // nr_heads
        self.W_query = nn.Linear(dim_h, nr_heads * self.d, bias=False)
        self.W_key = nn.Linear(dim_h, nr_kv_heads * self.d, bias=False)
        self.W_value = nn.Linear(dim_h, nr_kv_heads * self.d, bias=False)
        self.to_out = nn.Linear(nr_heads * self.d, dim_h)

    def forward(self, x):
        q = rearrange(self.W_query(x), "b t (g r d) -> b g r t d", g=self.g, d=self.d)
        k, v = (rearrange(w(x), "b t (g d) -> b g t d", g=self.g) for w in (self.W_key, self.W_value))
        scores = einsum("bgrid,bgjd->bgrij", q, k) * self.d**-0.5
        i = torch.arange(x.shape[1], device=x.device)
        scores = torch.where(i[:, None] >= i, scores, float("-inf"))
        out = einsum("bgrij,bgjd->bgrid", scores.softmax(-1), v)
        return self.to_out(rearrange(out, "b g r t d -> b t (g r d)"))
