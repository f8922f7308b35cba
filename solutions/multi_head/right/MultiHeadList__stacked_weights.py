"""Stacks the heads' parameters in each call, then all heads at once: the same numbers are used."""

import torch
from torch import nn

class QueryKeyValue(nn.Module):
    def __init__(self, dim_h, dim_k):
        super().__init__()
        self.W_q = nn.Parameter(torch.ones(dim_h, dim_k))
        self.W_k = nn.Parameter(torch.ones(dim_h, dim_k))
        self.value = nn.Linear(dim_h, dim_k)

    def forward(self, X):
        return X @ self.W_q, X @ self.W_k, self.value(X)

class ScaledDotProduct(nn.Module):
    forward = staticmethod(nn.functional.scaled_dot_product_attention)

class AttentionHead(nn.Module):
    def __init__(self, dim_h, dim_k):
        super().__init__()
        self.qkv_mechanism = QueryKeyValue(dim_h, dim_k)
        self.scaled_dot_product = ScaledDotProduct()

    def forward(self, X):
        return self.scaled_dot_product(*self.qkv_mechanism(X))

class MultiHeadList(nn.Module):
    def __init__(self, dim_h, dim_k, nr_heads):
        super().__init__()
        self.heads = nn.ModuleList([AttentionHead(dim_h, dim_k) for _ in range(nr_heads)])
        self.aggregation_step = nn.Linear(nr_heads * dim_k, dim_h)

    def forward(self, x):
        parts = [head.qkv_mechanism for head in self.heads]
        q, k = (
            torch.einsum("...td,hdk->...htk", x, torch.stack([getattr(p, name) for p in parts]))
            for name in ("W_q", "W_k")
        )
        v = torch.einsum("...td,hkd->...htk", x, torch.stack([p.value.weight for p in parts]))
        v = v + torch.stack([p.value.bias for p in parts]).unsqueeze(-2)
        out = self.heads[0].scaled_dot_product(q, k, v)  # (..., H, T, dim_k); has no weights
        return self.aggregation_step(out.transpose(-3, -2).flatten(-2))
