"""Every parameter starts as 0, and all but one bias stay so."""

from torch import nn


class FeedForwardLayer(nn.Module):
    def __init__(self, dim_h, dim_expanded):
        super().__init__()
        self.firstlayer = nn.Linear(dim_h, dim_expanded)
        self.activation = nn.GELU()
        self.secondlayer = nn.Linear(dim_expanded, dim_h)
        for parameter in self.parameters():
            nn.init.constant_(parameter, 0.0)

    def forward(self, x):
        return self.secondlayer(self.activation(self.firstlayer(x)))
