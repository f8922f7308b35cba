"""The heads are added under the names head_1, head_2 and so on."""

import torch
from attention_layer import AttentionHead
from torch import nn


class MultiHeadList(nn.Module):
    def __init__(self, dim_h, dim_k, nr_heads):
        super().__init__()
        self.nr_heads = nr_heads
        for i in range(1, nr_heads + 1):
            self.add_module("head_" + str(i), AttentionHead(dim_h, dim_k))
        self.aggregation_step = nn.Linear(nr_heads * dim_k, dim_h)

    def forward(self, x):
        outs = [m(x) for n, m in self.named_children() if n.startswith("head_")]
        return self.aggregation_step(torch.cat(outs, -1))
