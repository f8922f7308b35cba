"""The values of all heads start as 0."""

import torch
from attention_layer import AttentionHead
from torch import nn


class MultiHeadList(nn.Module):
    def __init__(self, dim_h, dim_k, nr_heads):
        super().__init__()
        self.heads = nn.ModuleList(AttentionHead(dim_h, dim_k) for _ in range(nr_heads))
        for head in self.heads:
            nn.init.zeros_(head.qkv_mechanism.value.weight)
        self.aggregation_step = nn.Linear(nr_heads * dim_k, dim_h)

    def forward(self, x):
        return self.aggregation_step(torch.cat([head(x) for head in self.heads], dim=-1))
