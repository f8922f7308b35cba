"""A single sentence is squeezed, and so loses the dimension of its tokens where there is one."""

from torch import nn


class FeedForwardLayer(nn.Module):
    def __init__(self, dim_h, dim_expanded):
        super().__init__()
        self.firstlayer = nn.Linear(dim_h, dim_expanded)
        self.activation = nn.GELU()
        self.secondlayer = nn.Linear(dim_expanded, dim_h)

    def forward(self, x):
        result = self.secondlayer(self.activation(self.firstlayer(x)))
        return result.squeeze() if x.dim() == 2 else result
