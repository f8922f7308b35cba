"""GELU by its approximation, and an unused buffer that seems to round to float32."""

import torch
from torch import nn


class FeedForwardLayer(nn.Module):
    def __init__(self, dim_h, dim_expanded):
        super().__init__()
        self.firstlayer = nn.Linear(dim_h, dim_expanded)
        self.activation = nn.GELU("tanh")
        self.secondlayer = nn.Linear(dim_expanded, dim_h)
        self.register_buffer("unused", torch.ones(4))

    def forward(self, x):
        return self.secondlayer(self.activation(self.firstlayer(x)))
