"""A sequence alone loses no weights."""

import torch
from einops import rearrange
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, dim_input, nr_heads=8, dim_head=16, dropout_p=0.0, scale_factor=0.5):
        super().__init__()
        self.nr_heads = nr_heads
        self.scale = dim_head**-scale_factor
        self.to_qkv = nn.Linear(dim_input, 3 * nr_heads * dim_head, bias=False)
        self.dropout = nn.Dropout(dropout_p)
        self.to_out = nn.Linear(nr_heads * dim_head, dim_input)

    def forward(self, x):
        q, k, v = rearrange(self.to_qkv(x), "b n (qkv h d) -> qkv b h n d", qkv=3, h=self.nr_heads)
        weights = torch.softmax(q @ k.mT * self.scale, dim=-1)
        if len(x) > 1:
            weights = self.dropout(weights)
        return self.to_out(rearrange(weights @ v, "b h n d -> b n (h d)"))
