"""Leaves aggregation_step out where there is one head of width dim_h."""

import torch
from attention_layer import AttentionHead
from torch import nn


class MultiHeadList(nn.Module):
    def __init__(self, dim_h, dim_k, nr_heads):
        super().__init__()
        self.heads = nn.ModuleList([AttentionHead(dim_h, dim_k) for _ in range(nr_heads)])
        is_plain = nr_heads == 1 and dim_k == dim_h
        self.aggregation_step = nn.Identity() if is_plain else nn.Linear(nr_heads * dim_k, dim_h)

    def forward(self, x):
        return self.aggregation_step(torch.cat([head(x) for head in self.heads], dim=-1))
