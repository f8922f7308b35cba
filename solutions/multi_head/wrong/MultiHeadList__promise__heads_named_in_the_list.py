"""The heads are in the list under names of their own: heads[0] is not to be had."""

import torch
from attention_layer import AttentionHead
from torch import nn


class MultiHeadList(nn.Module):
    def __init__(self, dim_h, dim_k, nr_heads):
        super().__init__()
        self.heads = nn.ModuleList()
        for i in range(nr_heads):
            self.heads.add_module(f"head{i}", AttentionHead(dim_h, dim_k))
        self.aggregation_step = nn.Linear(nr_heads * dim_k, dim_h)

    def forward(self, x):
        return self.aggregation_step(torch.cat([h(x) for h in self.heads.children()], -1))
