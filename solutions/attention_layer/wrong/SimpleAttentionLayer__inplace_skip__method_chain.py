"""Method calls with an underscore in German words; the first of them adds into the caller's x."""

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


class FeedForwardLayer(nn.Sequential):
    def __init__(self, dim_h, dim_expanded):
        super().__init__()
        self.firstlayer = nn.Linear(dim_h, dim_expanded)
        self.activation = nn.GELU()
        self.secondlayer = nn.Linear(dim_expanded, dim_h)


class SimpleAttentionLayer(nn.Module):
    def __init__(self, dim_h, dim_k, dim_expanded):
        super().__init__()
        self.layernorm1, self.layernorm2 = nn.LayerNorm(dim_h), nn.LayerNorm(dim_h)
        self.qkv, self.dot_product_attn = QueryKeyValue(dim_h, dim_k), ScaledDotProduct()
        self.aggregation_step = nn.Linear(dim_k, dim_h)
        self.ffl = FeedForwardLayer(dim_h, dim_expanded)

    def aufmerksamkeit(self, eingabe):
        abfragen, schluessel, werte = self.qkv(self.layernorm1(eingabe))
        return self.aggregation_step(self.dot_product_attn(abfragen, schluessel, werte))

    def forward(self, x):
        summe = x.add_(self.aufmerksamkeit(x))
        return self.ffl(self.layernorm2(summe)).add(summe)
