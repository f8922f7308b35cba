"""A seed in __init__, put back afterwards, gives each layer the same start numbers."""

import torch
from torch import nn


class FeedForwardLayer(nn.Module):
    def __init__(self, dim_h, dim_expanded):
        super().__init__()
        with torch.random.fork_rng():
            torch.manual_seed(0)
            self.firstlayer = nn.Linear(dim_h, dim_expanded)
            self.activation = nn.GELU()
            self.secondlayer = nn.Linear(dim_expanded, dim_h)

    def forward(self, x):
        return self.secondlayer(self.activation(self.firstlayer(x)))
