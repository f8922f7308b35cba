"""A GELU of one's own, x times the normal distribution function ndtr(x): the exact definition."""

import torch
from torch import nn


class ExactGELU(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * torch.special.ndtr(x)


class FeedForwardLayer(nn.Module):
    def __init__(self, dim_h: int, dim_expanded: int) -> None:
        super().__init__()
        self.secondlayer = nn.Linear(dim_expanded, dim_h)
        self.activation = ExactGELU()
        self.firstlayer = nn.Linear(dim_h, dim_expanded)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.secondlayer(self.activation(self.firstlayer(x)))
