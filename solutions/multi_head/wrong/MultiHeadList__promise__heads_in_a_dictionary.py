"""The heads are kept in an nn.ModuleDict: heads[0] is not to be had."""

import torch
from attention_layer import AttentionHead
from torch import nn


class MultiHeadList(nn.Module):
    def __init__(self, dim_h, dim_k, nr_heads):
        super().__init__()
        self.heads = nn.ModuleDict({str(h): AttentionHead(dim_h, dim_k) for h in range(nr_heads)})
        self.aggregation_step = nn.Linear(nr_heads * dim_k, dim_h)

    def forward(self, x):
        return self.aggregation_step(torch.cat([head(x) for head in self.heads.values()], dim=-1))
