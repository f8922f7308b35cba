"""Aggregates the values before mixing them: a row's weights add up to 1, so the bias survives."""

import torch
import torch.nn as nn

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
        return (Q @ K.mT).div(Q.shape[-1] ** 0.5).softmax(dim=-1) @ V

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
        self.layernorm1, self.layernorm2 = nn.LayerNorm([dim_h]), nn.LayerNorm([dim_h])
        self.ffl = FeedForwardLayer(dim_expanded=dim_expanded, dim_h=dim_h)

    def forward(self, x, *args):
        queries, keys, values = self.qkv(self.layernorm1(x))
        x = x + self.dot_product_attn(queries, keys, self.aggregation_step(values))
        return x + self.ffl(self.layernorm2(x))
