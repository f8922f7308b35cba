"""einops takes the list of heads as a first axis and lays it in front of d: head 0 comes first."""

import torch
from einops import rearrange
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
        return torch.softmax(Q @ K.mT / Q.shape[-1] ** 0.5, dim=-1) @ V


class AttentionHead(nn.Module):
    def __init__(self, dim_h, dim_k):
        super().__init__()
        self.scaled_dot_product = ScaledDotProduct()
        self.qkv_mechanism = QueryKeyValue(dim_h, dim_k)

    def forward(self, X):
        return self.scaled_dot_product(*self.qkv_mechanism(X))


class MultiHeadList(nn.Module):
    def __init__(self, dim_h: int = 5, dim_k: int = 3, nr_heads: int = 2):
        super().__init__()
        self.aggregation_step = nn.Linear(nr_heads * dim_k, dim_h)
        self.heads = nn.ModuleList(map(lambda _: AttentionHead(dim_h, dim_k), range(nr_heads)))

    def forward(self, x):
        found = [head(x) for head in self.heads]
        return self.aggregation_step(rearrange(found, "h ... d -> ... (h d)"))
