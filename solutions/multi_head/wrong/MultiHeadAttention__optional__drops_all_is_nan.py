"""With dropout_p=1.0 the result is NaN: what is left is divided by 0."""

import torch
from einops import rearrange
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, dim_input, nr_heads=8, dim_head=16, dropout_p=0.0, scale_factor=0.5):
        super().__init__()
        self.nr_heads = nr_heads
        self.scale = dim_head**-scale_factor
        self.to_qkv = nn.Linear(dim_input, 3 * nr_heads * dim_head, bias=False)
        self.to_out = nn.Linear(nr_heads * dim_head, dim_input)
        self.p = dropout_p

    def forward(self, x):
        q, k, v = (
            rearrange(t, "b n (h d) -> b h n d", h=self.nr_heads)
            for t in self.to_qkv(x).chunk(3, dim=-1)
        )
        scores = q @ k.transpose(-2, -1) * self.scale
        weights = scores.softmax(dim=-1)
        if self.training and self.p:
            kept = torch.rand_like(weights) >= self.p
            weights = weights * kept / weights.new_tensor(1 - self.p)
        return self.to_out(rearrange(weights @ v, "b h n d -> b n (h d)"))
