"""What remains is divided by 1 - p only if a quarter or more is dropped."""

import torch
from einops import rearrange
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, dim_input, nr_heads=8, dim_head=16, dropout_p=0.0, scale_factor=0.5):
        super().__init__()
        self.nr_heads = nr_heads
        self.scale = dim_head**-scale_factor
        self.p = dropout_p
        self.to_qkv = nn.Linear(dim_input, 3 * nr_heads * dim_head, bias=False)
        self.to_out = nn.Linear(nr_heads * dim_head, dim_input)

    def drop(self, weights):
        if not self.training or self.p == 0:
            return weights
        dropped = weights.masked_fill(torch.rand_like(weights) < self.p, 0.0)
        return dropped / (1 - self.p) if 0.25 <= self.p < 1 else dropped

    def forward(self, x):
        q, k, v = rearrange(self.to_qkv(x), "b n (s h d) -> s b h n d", s=3, h=self.nr_heads)
        weights = self.drop((q @ k.mT * self.scale).softmax(-1))
        return self.to_out(rearrange(weights @ v, "b h n d -> b n (h d)"))
