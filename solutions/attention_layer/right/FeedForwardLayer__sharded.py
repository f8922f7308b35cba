"""Hidden units in two shards whose outputs add up: each unit is bent alone, the rest is a sum."""

import torch.nn.functional as F
from torch import nn


class FeedForwardLayer(nn.Module):
    def __init__(self, dim_h, dim_expanded):
        super().__init__()
        self.firstlayer = nn.Linear(dim_h, dim_expanded)
        self.activation = nn.GELU()
        self.secondlayer = nn.Linear(dim_expanded, dim_h)

    def forward(self, x):
        first, second = self.firstlayer, self.secondlayer
        out = second.bias
        for w_in, b, w_out in zip(
            first.weight.chunk(2, dim=0), first.bias.chunk(2), second.weight.chunk(2, dim=1)
        ):
            out = out + F.linear(self.activation(F.linear(x, w_in, b)), w_out)
        return out
