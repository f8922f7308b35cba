"""Heads in einops and a lookup by axis name; the merge writes (k h), so features alternate."""

import torch
from einops import einsum, rearrange
from torch import nn


class QueryKeyValue(nn.Module):
    def __init__(self, dim_h, dim_k):
        super().__init__()
        self.W_q = nn.Parameter(torch.ones(dim_h, dim_k))
        self.W_k = nn.Parameter(torch.ones(dim_h, dim_k))
        self.value = nn.Linear(dim_h, dim_k)

    def forward(self, X):
        return dict(q=X @ self.W_q, k=X @ self.W_k, v=self.value(X))


class ScaledDotProduct(nn.Module):
    def forward(self, q, k, v):
        scores = einsum(q, k, "... i d, ... j d -> ... i j") / k.shape[-1] ** 0.5
        return einsum(scores.softmax(-1), v, "... i j, ... j d -> ... i d")


class AttentionHead(nn.Module):
    def __init__(self, dim_h, dim_k):
        super().__init__()
        self.scaled_dot_product = ScaledDotProduct()
        self.qkv_mechanism = QueryKeyValue(dim_h, dim_k)

    def forward(self, X):
        return self.scaled_dot_product(**self.qkv_mechanism(X))


class MultiHeadList(nn.Module):
    def __init__(self, dim_h, dim_k, nr_heads):
        super().__init__()
        self.heads = nn.ModuleList(AttentionHead(dim_h, dim_k) for _ in range(nr_heads))
        self.aggregation_step = nn.Linear(dim_k * nr_heads, dim_h)

    def forward(self, x):
        found = list(map(lambda head: head(x), self.heads))
        return self.aggregation_step(rearrange(found, "h ... k -> ... (k h)"))
