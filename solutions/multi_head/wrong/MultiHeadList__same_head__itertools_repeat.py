"""Functools and itertools in place of loops; repeat gives one head object nr_heads times."""

from functools import partial
from itertools import repeat

import torch
import torch.nn.functional as F
from torch import nn


class QueryKeyValue(nn.Module):
    def __init__(self, dim_h, dim_k):
        super().__init__()
        self.register_parameter("W_q", nn.Parameter(torch.full((dim_h, dim_k), 1.0)))
        self.register_parameter("W_k", nn.Parameter(torch.full((dim_h, dim_k), 1.0)))
        self.value = nn.Linear(dim_h, dim_k)

    def forward(self, X):
        return (*map(partial(torch.matmul, X), (self.W_q, self.W_k)), self.value(X))


class ScaledDotProduct(nn.Module):
    def forward(self, queries, keys, values):
        return F.scaled_dot_product_attention(queries, keys, values)


class AttentionHead(nn.Module):
    def __init__(self, dim_h, dim_k):
        super().__init__()
        self.scaled_dot_product = ScaledDotProduct()
        self.qkv_mechanism = QueryKeyValue(dim_h, dim_k)

    def forward(self, X):
        return self.scaled_dot_product(*self.qkv_mechanism(X))


class MultiHeadList(nn.Module):
    def __init__(self, dim_h, dim_k, nr_heads):
        super().__init__()
        self.heads = nn.ModuleList(repeat(AttentionHead(dim_h, dim_k), nr_heads))
        self.aggregation_step = nn.Linear(nr_heads * dim_k, dim_h)

    def forward(self, x):
        found = map(nn.Module.__call__, self.heads, repeat(x))
        return self.aggregation_step(torch.cat([*found], -1))
