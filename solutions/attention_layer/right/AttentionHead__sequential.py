"""The head is an nn.Sequential of its two named parts: the second takes the triple as a whole."""

from collections import OrderedDict

import torch
from torch import nn


class QueryKeyValue(nn.Module):
    def __init__(self, dim_h, dim_k):
        super().__init__()
        self.W_q = nn.Parameter(torch.ones(dim_h, dim_k))
        self.W_k = nn.Parameter(torch.ones(dim_h, dim_k))
        self.value = nn.Linear(dim_h, dim_k)

    def forward(self, X):
        return torch.matmul(X, self.W_q), torch.matmul(X, self.W_k), self.value(X)


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K=None, V=None):
        if isinstance(Q, tuple):
            Q, K, V = Q
        return nn.functional.scaled_dot_product_attention(Q, K, V)


class AttentionHead(nn.Sequential):
    def __init__(self, dim_h, dim_k):
        parts = OrderedDict(qkv_mechanism=QueryKeyValue(dim_h, dim_k))
        parts["scaled_dot_product"] = ScaledDotProduct()
        super().__init__(parts)
