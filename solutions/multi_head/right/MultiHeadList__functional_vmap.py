"""functional_call under vmap over stacked parameters: one call runs all heads, each its own."""

import torch
from torch import nn
from torch.func import functional_call, vmap


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
    def __init__(self, dim_h, dim_k, nr_heads):
        super().__init__()
        self.heads = nn.ModuleList([AttentionHead(dim_h, dim_k) for _ in range(nr_heads)])
        self.aggregation_step = nn.Linear(nr_heads * dim_k, dim_h)

    def forward(self, x):
        each = [dict(head.named_parameters()) for head in self.heads]
        stacked = {name: torch.stack([own[name] for own in each]) for name in each[0]}
        run = lambda weights: functional_call(self.heads[0], weights, (x,))  # noqa: E731
        out = vmap(run, out_dims=-2)(stacked)  # (..., T, H, dim_k)
        return self.aggregation_step(out.flatten(start_dim=-2))
