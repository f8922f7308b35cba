"""In evaluation a single head is not projected by aggregation_step."""

import torch
from torch import nn

from attention_layer import AttentionHead


class MultiHeadList(nn.Module):
    def __init__(self, dim_h, dim_k, nr_heads):
        super().__init__()
        self.heads = nn.ModuleList(AttentionHead(dim_h, dim_k) for _ in range(nr_heads))
        self.aggregation_step = nn.Linear(nr_heads * dim_k, dim_h)

    def forward(self, X):
        found = torch.cat([head(X) for head in self.heads], dim=-1)
        if len(self.heads) == 1 and found.shape == X.shape and not self.training:
            return found
        return self.aggregation_step(found)
