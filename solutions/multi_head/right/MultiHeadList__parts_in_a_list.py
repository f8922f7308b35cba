"""The steps stand in an nn.ModuleList too: each parameter is registered under two names."""

import torch
from torch import nn


class AttentionHead(nn.Module):
    def __init__(self, dim_h, dim_k):
        super().__init__()
        self.qkv_mechanism = QueryKeyValue(dim_h, dim_k)
        self.scaled_dot_product = ScaledDotProduct()
        self.steps = nn.ModuleList([self.qkv_mechanism, self.scaled_dot_product])

    def forward(self, x):
        for number, step in enumerate(self.steps):
            x = step(*x) if number else step(x)
        return x


class QueryKeyValue(nn.Module):
    def __init__(self, dim_h, dim_k):
        super().__init__()
        self.W_q = nn.Parameter(torch.randn(dim_h, dim_k) * dim_h**-0.5)
        self.W_k = nn.Parameter(torch.randn(dim_h, dim_k) * dim_h**-0.5)
        self.value = nn.Linear(dim_h, dim_k)

    def forward(self, x):
        return x @ self.W_q, x @ self.W_k, self.value(x)


class ScaledDotProduct(nn.Module):
    def forward(self, q, k, v):
        return torch.softmax(q @ k.mT / k.shape[-1] ** 0.5, -1) @ v


class MultiHeadList(nn.Module):
    def __init__(self, dim_h, dim_k, nr_heads):
        super().__init__()
        self.heads = nn.ModuleList(AttentionHead(dim_h, dim_k) for _ in range(nr_heads))
        self.aggregation_step = nn.Linear(nr_heads * dim_k, dim_h)
        self.all_parts = nn.ModuleDict({"heads": self.heads, "out": self.aggregation_step})

    def forward(self, x):
        found = [head(x) for head in self.all_parts["heads"]]
        return self.all_parts["out"](torch.cat(found, dim=-1))
