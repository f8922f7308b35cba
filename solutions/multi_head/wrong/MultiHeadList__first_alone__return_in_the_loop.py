"""A return in the loop ends it after the first head."""

import torch
from torch import nn


class QueryKeyValue(nn.Module):
    def __init__(self, dim_h, dim_k):
        super().__init__()
        self.W_q = nn.Parameter(torch.ones(dim_h, dim_k))
        self.W_k = nn.Parameter(torch.ones(dim_h, dim_k))
        self.value = nn.Linear(dim_h, dim_k)

    def forward(self, x):
        return x @ self.W_q, x @ self.W_k, self.value(x)


class ScaledDotProduct(nn.Module):
    def forward(self, q, k, v):
        return torch.softmax(q @ k.mT / q.shape[-1] ** 0.5, dim=-1) @ v


class AttentionHead(nn.Module):
    def __init__(self, dim_h, dim_k):
        super().__init__()
        self.scaled_dot_product = ScaledDotProduct()
        self.qkv_mechanism = QueryKeyValue(dim_h, dim_k)

    def forward(self, x):
        return self.scaled_dot_product(*self.qkv_mechanism(x))


class MultiHeadList(nn.Module):
    def __init__(self, dim_h, dim_k, nr_heads):
        super().__init__()
        self.heads = nn.ModuleList(AttentionHead(dim_h, dim_k) for _ in range(nr_heads))
        self.aggregation_step = nn.Linear(dim_k, dim_h)

    def forward(self, x):
        for head in self.heads:
            return self.aggregation_step(head(x))
