"""Dropout is a Bernoulli mask divided by the kept share: that is what nn.Dropout does."""

import torch
from einops import einsum, rearrange
from torch import Tensor, nn


def drop(weights: Tensor, p: float) -> Tensor:
    if p == 1:
        return torch.zeros_like(weights)
    kept = torch.empty_like(weights).bernoulli_(1 - p)
    return weights * kept / (1 - p)


class MultiHeadAttention(nn.Module):
    def __init__(self, dim_input, nr_heads=8, dim_head=16, dropout_p=0.0, scale_factor=0.5):
        super().__init__()
        self.nr_heads = nr_heads
        self.scale = dim_head**-scale_factor
        self.dropout_p = dropout_p
        self.to_qkv = nn.Linear(dim_input, 3 * nr_heads * dim_head, bias=False)
        self.to_out = nn.Linear(nr_heads * dim_head, dim_input)

    def forward(self, x: Tensor) -> Tensor:
        q, k, v = rearrange(self.to_qkv(x), "b t (s h d) -> s b t h d", s=3, h=self.nr_heads)
        scores = einsum(q, k, "b l h d, b s h d -> b l h s").mul_(self.scale)
        weights = torch.exp(scores - scores.logsumexp(-1, keepdim=True))
        if self.training:
            weights = drop(weights, self.dropout_p)
        return self.to_out(einsum(weights, v, "b l h s, b s h d -> b l h d").flatten(2))
