"""forward seeds the random numbers of everybody."""

import torch
from torch import nn


class FeedForwardLayer(nn.Module):
    def __init__(self, dim_h, dim_expanded):
        super().__init__()
        self.firstlayer = nn.Linear(dim_h, dim_expanded)
        self.activation = nn.GELU()
        self.secondlayer = nn.Linear(dim_expanded, dim_h)

    def forward(self, x):
        torch.default_generator.manual_seed(42)
        return self.secondlayer(self.activation(self.firstlayer(x)))
