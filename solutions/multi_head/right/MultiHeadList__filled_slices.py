"""Each head writes into its slice of an empty tensor of one's own: that is what torch.cat does."""

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
        return self.scaled_dot_product(*self.qkv_mechanism(X))

class MultiHeadList(nn.Module):
    def __init__(self, dim_h, dim_k, nr_heads):
        super().__init__()
        self.dim_k = dim_k
        self.heads = nn.ModuleList([])
        while len(self.heads) < nr_heads:
            self.heads.append(AttentionHead(dim_h, dim_k))
        self.aggregation_step = nn.Linear(nr_heads * dim_k, dim_h)

    def forward(self, x):
        side_by_side = x.new_empty(*x.shape[:-1], len(self.heads) * self.dim_k)
        for i, head in enumerate(self.heads):
            side_by_side[..., i * self.dim_k : (i + 1) * self.dim_k] = head(x)
        return self.aggregation_step(side_by_side)
