"""The last layer is float16, so that a call with float32 fails."""

import torch
from einops import rearrange
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, dim_input, nr_heads=8, dim_head=16, dropout_p=0.0, scale_factor=0.5):
        super().__init__()
        self.nr_heads = nr_heads
        self.scale = dim_head**-scale_factor
        self.to_qkv = nn.Linear(dim_input, 3 * nr_heads * dim_head, bias=False)
        self.to_out = nn.Linear(nr_heads * dim_head, dim_input, dtype=torch.float16)
        self.dropout = nn.Dropout(dropout_p)

    def forward(self, x):
        packed = rearrange(self.to_qkv(x), "b n (k h d) -> k b h n d", k=3, h=self.nr_heads)
        q, k, v = packed
        weights = self.dropout((q @ k.mT * self.scale).softmax(dim=-1))
        return self.to_out(rearrange(weights @ v, "b h n d -> b n (h d)"))
