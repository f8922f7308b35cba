"""The weights start as normal numbers of size 1."""

from torch import Tensor, nn


class FeedForwardLayer(nn.Module):
    def __init__(self, dim_h: int, dim_expanded: int) -> None:
        super().__init__()
        self.firstlayer = nn.Linear(dim_h, dim_expanded)
        self.activation = nn.GELU()
        self.secondlayer = nn.Linear(dim_expanded, dim_h)
        for layer in (self.firstlayer, self.secondlayer):
            nn.init.normal_(layer.weight)

    def forward(self, x: Tensor) -> Tensor:
        x = self.firstlayer(x)  # (..., dim_expanded)
        x = self.activation(x)
        return self.secondlayer(x)
