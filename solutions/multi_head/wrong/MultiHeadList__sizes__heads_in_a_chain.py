"""Where sizes allow it, each head works on what the one before it gave."""

import torch
from attention_layer import AttentionHead
from torch import nn


class MultiHeadList(nn.Module):
    def __init__(self, dim_h, dim_k, nr_heads):
        super().__init__()
        self.heads = nn.ModuleList([AttentionHead(dim_h, dim_k) for _ in range(nr_heads)])
        self.aggregation_step = nn.Linear(nr_heads * dim_k, dim_h)

    def forward(self, x):
        found, y = [], x
        for head in self.heads:
            found.append(head(y))
            y = found[-1] if found[-1].shape == x.shape else x
        return self.aggregation_step(torch.cat(found, dim=-1))
