"""Tokens that are all zeros are taken for padding, and no head looks at them."""

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
        self.dropout = nn.Dropout(dropout_p)

    def forward(self, x):
        q, k, v = rearrange(self.to_qkv(x), "b t (n h d) -> n b h t d", n=3, h=self.nr_heads)
        scores = q @ k.mT * self.scale
        padding = (x.abs().amax(dim=-1) == 0)[:, None, None]
        weights = self.dropout(torch.softmax(scores.masked_fill(padding, -torch.inf), dim=-1))
        return self.to_out(rearrange(weights @ v, "b h t d -> b t (h d)"))
