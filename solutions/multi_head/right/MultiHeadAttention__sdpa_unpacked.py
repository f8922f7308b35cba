"""Fused attention on unflattened, moved axes; p times training is p in training and else 0."""

from typing import Final

import torch
import torch.nn.functional as F
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, dim_input, nr_heads=8, dim_head=16, dropout_p=0.0, scale_factor=0.5):
        super().__init__()
        self.layout: Final = (3, nr_heads, dim_head)
        self.p, self.factor = dropout_p, scale_factor
        self.to_out = nn.Linear(nr_heads * dim_head, dim_input)
        self.to_qkv = nn.Linear(dim_input, 3 * nr_heads * dim_head, bias=False)

    def forward(self, x):
        qkv = self.to_qkv(x).unflatten(-1, self.layout).movedim((2, 3), (0, 2))
        mixed = F.scaled_dot_product_attention(
            *qkv, dropout_p=self.p * self.training, scale=1.0 / self.layout[-1] ** self.factor
        )
        return self.to_out(mixed.movedim(1, 2).flatten(2))
