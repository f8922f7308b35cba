"""Parts that are registered a second time, under names of the student's own, and first there."""

import math

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
        scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
        return scores.softmax(dim=-1) @ V


class FeedForwardLayer(nn.Module):
    def __init__(self, dim_h, dim_expanded):
        super().__init__()
        self.firstlayer = nn.Linear(dim_h, dim_expanded)
        self.activation = nn.GELU()
        self.secondlayer = nn.Linear(dim_expanded, dim_h)

    def forward(self, x):
        return self.secondlayer(self.activation(self.firstlayer(x)))


class SimpleAttentionLayer(nn.Module):
    def __init__(self, dim_h, dim_k, dim_expanded):
        super().__init__()
        self.norms = nn.ModuleList([nn.LayerNorm(dim_h), nn.LayerNorm(dim_h)])
        self.attend = ScaledDotProduct()
        self.qkv = QueryKeyValue(dim_h, dim_k)
        self.dot_product_attn = self.attend
        self.back = nn.Linear(dim_k, dim_h)
        self.aggregation_step = self.back
        self.layernorm1, self.layernorm2 = self.norms
        self.ffl = FeedForwardLayer(dim_h, dim_expanded)

    def forward(self, x):
        x = x + self.back(self.attend(*self.qkv(self.norms[0](x))))
        return x + self.ffl(self.norms[1](x))
