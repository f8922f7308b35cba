"""to_qkv is an nn.Linear of one's own that also splits into heads: its weight has the same name."""

from dataclasses import dataclass

import torch
from torch import nn


@dataclass(frozen=True)
class Heads:
    number: int
    width: int

    @property
    def total(self) -> int:
        return self.number * self.width


class SplitLinear(nn.Linear):
    def __init__(self, dim_input: int, heads: Heads) -> None:
        super().__init__(dim_input, 3 * heads.total, bias=False)
        self.heads = heads

    def forward(self, input):
        thirds = super().forward(input).split(self.heads.total, dim=-1)
        return [t.unflatten(-1, (self.heads.number, self.heads.width)) for t in thirds]


class MultiHeadAttention(nn.Module):
    def __init__(self, dim_input, nr_heads=8, dim_head=16, dropout_p=0.0, scale_factor=0.5):
        super().__init__()
        heads = Heads(nr_heads, dim_head)
        self.to_qkv, self.to_out = SplitLinear(dim_input, heads), nn.Linear(heads.total, dim_input)
        self.scale, self.dropout = 1 / heads.width**scale_factor, nn.Dropout(dropout_p)

    def forward(self, x):
        q, k, v = self.to_qkv(x)
        scores = torch.einsum("blhd,bshd->bhls", q * self.scale, k)
        weights = self.dropout(scores.softmax(dim=-1))
        return self.to_out(torch.einsum("bhls,bshd->blhd", weights, v).flatten(start_dim=2))
