"""The heads are kept in an nn.Sequential, which would pass one after the other."""

import torch
from attention_layer import AttentionHead
from torch import nn


class MultiHeadList(nn.Module):
    def __init__(self, dim_h, dim_k, nr_heads):
        super().__init__()
        self.heads = nn.Sequential(*(AttentionHead(dim_h, dim_k) for _ in range(nr_heads)))
        self.aggregation_step = nn.Linear(nr_heads * dim_k, dim_h)

    def forward(self, x):
        return self.aggregation_step(torch.cat([head(x) for head in self.heads], dim=-1))
