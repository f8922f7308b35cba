"""EinMix as to_qkv, a linear layer with weight (o, i), no bias; to_out sums over h, d at once."""

import torch
from einops import rearrange
from einops.layers.torch import EinMix
from torch import einsum, nn


class MultiHeadAttention(nn.Module):
    def __init__(self, dim_input, nr_heads=8, dim_head=16, dropout_p=0.0, scale_factor=0.5):
        super().__init__()
        self.heads, self.scale = nr_heads, dim_head**-scale_factor
        o = 3 * nr_heads * dim_head
        self.to_qkv = EinMix("b n i -> b n o", weight_shape="o i", o=o, i=dim_input)
        self.to_out = nn.Linear(nr_heads * dim_head, dim_input)
        self.dropout = nn.Dropout(dropout_p)

    def forward(self, x):
        q, k, v = rearrange(self.to_qkv(x), "b n (c h d) -> c b h n d", c=3, h=self.heads)
        weights = self.dropout((einsum("bhid,bhjd->bhij", q, k) * self.scale).softmax(dim=-1))
        by_head = rearrange(self.to_out.weight, "o (h d) -> o h d", h=self.heads)
        return einsum("bhij,bhjd,ohd->bio", weights, v, by_head) + self.to_out.bias
