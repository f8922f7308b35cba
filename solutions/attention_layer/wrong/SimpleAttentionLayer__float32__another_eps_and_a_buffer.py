"""eps is ten times too large, and an unused buffer seems to round to float32."""

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
        return torch.softmax(Q @ K.mT / math.sqrt(Q.shape[-1]), dim=-1) @ V


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
        self.qkv = QueryKeyValue(dim_h, dim_k)
        self.dot_product_attn = ScaledDotProduct()
        self.aggregation_step = nn.Linear(dim_k, dim_h)
        self.layernorm1 = nn.LayerNorm(dim_h, eps=1e-4)
        self.layernorm2 = nn.LayerNorm(dim_h, eps=1e-4)
        self.ffl = FeedForwardLayer(dim_h, dim_expanded)
        self.register_buffer("unused", torch.ones(4))

    def forward(self, x):
        x = x + self.aggregation_step(self.dot_product_attn(*self.qkv(self.layernorm1(x))))
        return x + self.ffl(self.layernorm2(x))
