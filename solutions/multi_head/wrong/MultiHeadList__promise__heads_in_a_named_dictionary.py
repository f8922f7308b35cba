"""The heads are kept in an nn.ModuleDict, under names with numbers."""

import torch
from attention_layer import AttentionHead
from torch import nn


class MultiHeadList(nn.Module):
    def __init__(self, dim_h, dim_k, nr_heads):
        super().__init__()
        self.heads = nn.ModuleDict(
            {f"head_{i}": AttentionHead(dim_h, dim_k) for i in range(nr_heads)}
        )
        self.aggregation_step = nn.Linear(nr_heads * dim_k, dim_h)

    def forward(self, x):
        return self.aggregation_step(torch.cat([h(x) for h in self.heads.values()], -1))
