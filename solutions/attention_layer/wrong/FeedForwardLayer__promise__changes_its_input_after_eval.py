"""In evaluation the caller's tensor becomes twice as large."""

from torch import nn


class FeedForwardLayer(nn.Module):
    def __init__(self, dim_h, dim_wide):
        super().__init__()
        self.firstlayer = nn.Linear(dim_h, dim_wide)
        self.secondlayer = nn.Linear(dim_wide, dim_h)

    def forward(self, x):
        if not self.training:
            x.data.mul_(2)
            x = x / 2
        return self.secondlayer(nn.functional.gelu(self.firstlayer(x)))
