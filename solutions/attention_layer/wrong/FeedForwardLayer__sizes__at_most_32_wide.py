"""The middle is never wider than 32."""

from torch import nn


class FeedForwardLayer(nn.Module):
    def __init__(self, dim_h, dim_expanded):
        super().__init__()
        dim_expanded = min(32, dim_expanded)
        self.firstlayer = nn.Linear(dim_h, dim_expanded)
        self.activation = nn.GELU()
        self.secondlayer = nn.Linear(dim_expanded, dim_h)

    def forward(self, x):
        return self.secondlayer(self.activation(self.firstlayer(x)))
