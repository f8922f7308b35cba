"""Folds heads into the batch for baddbmm, batch outermost: each pair (b, h) is its own matrix."""

import torch
from einops import rearrange
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, dim_input, nr_heads=8, dim_head=16, dropout_p=0.0, scale_factor=0.5):
        super().__init__()
        self.h, self.alpha = nr_heads, dim_head**-scale_factor
        inner = nr_heads * dim_head
        self.to_qkv = nn.Linear(dim_input, inner * 3, bias=False)
        self.to_out = nn.Linear(inner, dim_input)
        self.drop = nn.Dropout(dropout_p)

    def forward(self, x):
        q, k, v = rearrange(self.to_qkv(x), "b n (c h d) -> c (b h) n d", c=3, h=self.h)
        zero = torch.zeros((), dtype=x.dtype, device=x.device).expand(len(q), q.size(1), k.size(1))
        weights = self.drop(torch.baddbmm(zero, q, k.transpose(1, 2), alpha=self.alpha).softmax(-1))
        return self.to_out(rearrange(weights.bmm(v), "(b h) n d -> b n (h d)", h=self.h))
