"""The heads are copies of a first one, each with weights of its own from then on."""

import copy

import torch
from torch import nn

from attention_layer import AttentionHead


def clones(module, count):
    return nn.ModuleList([copy.deepcopy(module) for _ in range(count)])


class MultiHeadList(nn.Module):
    def __init__(self, dim_h, dim_k, nr_heads):
        super().__init__()
        self.heads = clones(AttentionHead(dim_h, dim_k), nr_heads)
        self.aggregation_step = nn.Linear(nr_heads * dim_k, dim_h)

    def forward(self, x):
        return self.aggregation_step(torch.cat([head(x) for head in self.heads], dim=-1))
