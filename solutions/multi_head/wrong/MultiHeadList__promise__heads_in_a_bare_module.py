"""The heads are attributes 0, 1, ... of a module that is no list."""

import torch
from attention_layer import AttentionHead
from torch import nn


class MultiHeadList(nn.Module):
    def __init__(self, dim_h, dim_k, nr_heads):
        super().__init__()
        self.heads = nn.Module()
        for h in range(nr_heads):
            self.heads.add_module(str(h), AttentionHead(dim_h, dim_k))
        self.aggregation_step = nn.Linear(nr_heads * dim_k, dim_h)

    def forward(self, x):
        return self.aggregation_step(torch.cat([head(x) for head in self.heads.children()], dim=-1))
