"""A token of zeros gives zeros: the biases are left out there, as for padding."""

from torch import nn


class FeedForwardLayer(nn.Module):
    def __init__(self, dim_h, dim_expanded):
        super().__init__()
        self.firstlayer = nn.Linear(dim_h, dim_expanded)
        self.activation = nn.GELU()
        self.secondlayer = nn.Linear(dim_expanded, dim_h)

    def forward(self, x):
        result = self.secondlayer(self.activation(self.firstlayer(x)))
        return result.masked_fill((x == 0).all(dim=-1, keepdim=True), 0.0)
