"""The heads are attributes head0, head1 and so on, not in a list."""

import torch
from attention_layer import AttentionHead
from torch import nn


class MultiHeadList(nn.Module):
    def __init__(self, dim_h, dim_k, nr_heads):
        super().__init__()
        self.nr_heads = nr_heads
        for i in range(nr_heads):
            setattr(self, f"head{i}", AttentionHead(dim_h, dim_k))
        self.aggregation_step = nn.Linear(nr_heads * dim_k, dim_h)

    def forward(self, x):
        return self.aggregation_step(
            torch.cat([getattr(self, f"head{i}")(x) for i in range(self.nr_heads)], -1)
        )
