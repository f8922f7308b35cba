"""A dictionary and keyword arguments hand the three over; its names for keys and values are exchanged."""

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
    def forward(self, Q, K, V):
        return torch.softmax(Q @ K.mT / K.shape[-1] ** 0.5, dim=-1) @ V


class AttentionHead(nn.Module):
    def __init__(self, dim_h, dim_k):
        super().__init__()
        self.qkv_mechanism = QueryKeyValue(dim_h=dim_h, dim_k=dim_k)
        self.scaled_dot_product = ScaledDotProduct()

    def forward(self, X):
        parts = dict(zip("QVK", self.qkv_mechanism(X)))
        return self.scaled_dot_product(**parts)
