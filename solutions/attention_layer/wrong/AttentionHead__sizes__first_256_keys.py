"""Only the first 256 tokens are looked at."""

import math

import torch
from torch import nn


class QueryKeyValue(nn.Module):
    def __init__(self, dim_h, dim_k):
        super().__init__()
        self.W_q = nn.Parameter(torch.ones(dim_h, dim_k))
        self.W_k = nn.Parameter(torch.ones(dim_h, dim_k))
        self.value = nn.Linear(dim_h, dim_k)

    def forward(self, x):
        return x @ self.W_q, x @ self.W_k, self.value(x)


class ScaledDotProduct(nn.Module):
    def forward(self, q, k, v):
        return torch.softmax(q @ k.mT / math.sqrt(q.shape[-1]), dim=-1) @ v


class AttentionHead(nn.Module):
    def __init__(self, dim_h, dim_k):
        super().__init__()
        self.scaled_dot_product = ScaledDotProduct()
        self.qkv_mechanism = QueryKeyValue(dim_h, dim_k)

    def forward(self, x):
        q, k, v = self.qkv_mechanism(x)
        return self.scaled_dot_product(q, k[..., :256, :], v[..., :256, :])
