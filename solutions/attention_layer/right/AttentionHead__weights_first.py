"""(X W_q)(X W_k)^T is X (W_q W_k^T) X^T: the tokens are the keys, the scale is put right before."""

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
        return torch.softmax(Q @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5, dim=-1) @ V


class AttentionHead(nn.Module):
    def __init__(self, dim_h, dim_k):
        super().__init__()
        self.scaled_dot_product = ScaledDotProduct()
        self.qkv_mechanism = QueryKeyValue(dim_h, dim_k)

    def forward(self, X):
        qkv = self.qkv_mechanism
        dim_h, dim_k = qkv.W_q.shape
        metric = torch.linalg.multi_dot([qkv.W_q, qkv.W_k.T]) * (dim_h / dim_k) ** 0.5
        return self.scaled_dot_product(X @ metric, X, qkv.value(X))
