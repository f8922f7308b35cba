"""The heads are in two lists, a half in each."""

import torch
from attention_layer import AttentionHead
from torch import nn


class MultiHeadList(nn.Module):
    def __init__(self, dim_h, dim_k, nr_heads):
        super().__init__()
        half = nr_heads // 2
        self.heads = nn.ModuleList([AttentionHead(dim_h, dim_k) for _ in range(half)])
        self.more_heads = nn.ModuleList(
            [AttentionHead(dim_h, dim_k) for _ in range(nr_heads - half)]
        )
        self.aggregation_step = nn.Linear(nr_heads * dim_k, dim_h)

    def forward(self, x):
        return self.aggregation_step(torch.cat([h(x) for h in [*self.heads, *self.more_heads]], -1))
