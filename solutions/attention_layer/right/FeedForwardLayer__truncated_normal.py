"""Starts with truncated normal numbers, and takes the activation by name."""

import torch
from torch import nn


class FeedForwardLayer(nn.Module):
    def __init__(self, dim_h, dim_expanded):
        super().__init__()
        self.firstlayer = nn.Linear(dim_h, dim_expanded)
        self.activation = nn.GELU()
        self.secondlayer = nn.Linear(dim_expanded, dim_h)
        for layer in (self.firstlayer, self.secondlayer):
            nn.init.trunc_normal_(layer.weight, std=0.02)

    def forward(self, x):
        return torch.func.functional_call(
            self.secondlayer,
            dict(self.secondlayer.named_parameters()),
            self.activation(self.firstlayer(x)),
        )
