"""Everything by functools and operator; reduce adds the heads and the last layer reads dim_k."""

import functools
import operator

import torch
from torch import nn


class QueryKeyValue(nn.Module):
    def __init__(self, dim_h, dim_k):
        super().__init__()
        self.W_q = nn.Parameter(torch.ones(dim_h, dim_k))
        self.W_k = nn.Parameter(torch.ones(dim_h, dim_k))
        self.value = nn.Linear(dim_h, dim_k)

    def forward(self, X):
        return operator.matmul(X, self.W_q), operator.matmul(X, self.W_k), self.value(X)


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        energy = operator.matmul(Q, K.transpose(-1, -2)) / K.shape[-1] ** 0.5
        return operator.matmul(energy.softmax(-1), V)


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
        self.heads = nn.ModuleList()
        self.heads.extend(AttentionHead(dim_h, dim_k) for _ in range(nr_heads))
        self.aggregation_step = nn.Linear(dim_k, dim_h)

    def forward(self, x):
        total = functools.reduce(operator.add, [head(x) for head in self.heads])
        return self.aggregation_step(total)
