"""In evaluation no gradient reaches the input."""

from torch import nn


class FeedForwardLayer(nn.Module):
    def __init__(self, dim_h, dim_wide):
        super().__init__()
        self.firstlayer = nn.Linear(dim_h, dim_wide)
        self.secondlayer = nn.Linear(dim_wide, dim_h)

    def forward(self, x):
        x = x if self.training else x.detach()
        return self.secondlayer(nn.functional.gelu(self.firstlayer(x)))
