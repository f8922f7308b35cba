"""He's start; einsum with names, and dropout by its function."""

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
        nn.init.kaiming_uniform_(self.to_qkv.weight)

    def forward(self, x):
        packed = rearrange(self.to_qkv(x), "b n (k h d) -> k b h n d", k=3, h=self.nr_heads)
        scores = torch.einsum("bhid,bhjd->bhij", packed[0], packed[1]) * self.scale
        weights = nn.functional.dropout(scores.softmax(-1), self.p, self.training)
        out = torch.einsum("bhij,bhjd->bihd", weights, packed[2])
        return self.to_out(out.flatten(2))
