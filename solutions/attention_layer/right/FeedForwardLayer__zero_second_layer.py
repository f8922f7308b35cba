"""secondlayer starts as 0, so that the branch begins with nothing."""

from torch import nn


class FeedForwardLayer(nn.Module):
    def __init__(self, dim_h, dim_expanded):
        super().__init__()
        self.firstlayer = nn.Linear(dim_h, dim_expanded)
        self.activation = nn.GELU()
        self.secondlayer = nn.Linear(dim_expanded, dim_h)
        nn.init.zeros_(self.secondlayer.weight)
        nn.init.zeros_(self.secondlayer.bias)

    def forward(self, x):
        return self.secondlayer(self.activation(self.firstlayer(x)))
