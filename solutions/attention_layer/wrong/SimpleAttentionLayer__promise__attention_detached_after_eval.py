"""In evaluation no gradient comes back from attention."""

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
    def __init__(self, dim_h, dim_wide):
        super().__init__()
        self.firstlayer = nn.Linear(dim_h, dim_wide)
        self.secondlayer = nn.Linear(dim_wide, dim_h)

    def forward(self, x):
        return self.secondlayer(nn.functional.gelu(self.firstlayer(x)))


class SimpleAttentionLayer(nn.Module):
    def __init__(self, dim_h, dim_k, dim_wide):
        super().__init__()
        self.qkv = QueryKeyValue(dim_h, dim_k)
        self.dot_product_attn = ScaledDotProduct()
        self.aggregation_step = nn.Linear(dim_k, dim_h)
        self.layernorm1 = nn.LayerNorm(dim_h)
        self.layernorm2 = nn.LayerNorm(dim_h)
        self.ffl = FeedForwardLayer(dim_h, dim_wide)

    def forward(self, x):
        attended = self.dot_product_attn(*self.qkv(self.layernorm1(x)))
        attended = attended if self.training else attended.detach()
        y = x + self.aggregation_step(attended)
        return y + self.ffl(self.layernorm2(y))
