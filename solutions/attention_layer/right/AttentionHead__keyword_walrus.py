"""Submodules called by keyword, a walrus as argument: each tensor arrives where it must."""

import math
from typing import Any

import torch
import torch.nn as nn


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        return nn.functional.softmax(Q @ K.mT / math.sqrt(K.shape[-1]), -1) @ V


class QueryKeyValue(nn.Module):
    def __init__(self, dim_h, dim_k):
        super().__init__()
        self.W_q = nn.Parameter(torch.ones(dim_h, dim_k))
        self.W_k = nn.Parameter(torch.ones(dim_h, dim_k))
        self.value = nn.Linear(dim_h, dim_k)

    def forward(self, X):
        return X @ self.W_q, X @ self.W_k, self.value(X)


class AttentionHead(nn.Module):
    def __init__(self, dim_h: int, dim_k: int, **options: Any) -> None:
        super().__init__(**options)
        self.qkv_mechanism = QueryKeyValue(dim_k=dim_k, dim_h=dim_h)
        self.scaled_dot_product = ScaledDotProduct()

    def forward(self, X):
        return self.scaled_dot_product(V=(qkv := self.qkv_mechanism(X=X))[2], Q=qkv[0], K=qkv[1])
