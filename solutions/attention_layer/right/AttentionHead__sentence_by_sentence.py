"""A batch is taken apart and each sentence attends alone: sequences do not meet anyway."""

import torch
from torch import nn


class QueryKeyValue(nn.Module):
    def __init__(self, dim_h, dim_k):
        super().__init__()
        self.value = nn.Linear(dim_h, dim_k)
        self.W_q = nn.Parameter(torch.ones(dim_h, dim_k))
        self.W_k = nn.Parameter(torch.ones(dim_h, dim_k))

    def forward(self, X):
        return [X @ self.W_q, X @ self.W_k, self.value(X)]


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        return torch.softmax(Q @ K.adjoint() / K.shape[-1] ** 0.5, dim=-1) @ V


class AttentionHead(nn.Module):
    def __init__(self, dim_h, dim_k):
        super().__init__()
        self.scaled_dot_product = ScaledDotProduct()
        self.qkv_mechanism = QueryKeyValue(dim_h, dim_k)

    def one_sentence(self, X):
        return self.scaled_dot_product(*self.qkv_mechanism(X))

    def forward(self, X):
        if X.dim() == 2:
            return self.one_sentence(X)
        return torch.stack([self.forward(sentence) for sentence in X])
