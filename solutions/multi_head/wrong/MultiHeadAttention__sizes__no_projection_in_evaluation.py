"""In evaluation to_out is left out where the heads together are as wide as the tokens."""

import torch.nn.functional as F
from einops import rearrange
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, dim_input, nr_heads=8, dim_head=16, dropout_p=0.0, scale_factor=0.5):
        super().__init__()
        self.nr_heads = nr_heads
        self.dropout_p = dropout_p
        self.scale = dim_head**-scale_factor
        self.to_qkv = nn.Linear(dim_input, 3 * nr_heads * dim_head, bias=False)
        self.to_out = nn.Linear(nr_heads * dim_head, dim_input)

    def forward(self, x):
        q, k, v = rearrange(self.to_qkv(x), "b n (k h d) -> k b h n d", k=3, h=self.nr_heads)
        p = self.dropout_p if self.training else 0.0
        mixed = F.scaled_dot_product_attention(q, k, v, dropout_p=p, scale=self.scale)
        out = rearrange(mixed, "b h n d -> b n (h d)")
        if not self.training and out.shape == x.shape:
            return out
        return self.to_out(out)
