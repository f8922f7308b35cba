"""Reads the number of tokens, which a single token (dim_h,) does not have."""

from torch import Tensor, nn


class FeedForwardLayer(nn.Module):
    def __init__(self, dim_h: int, dim_expanded: int) -> None:
        super().__init__()
        self.firstlayer = nn.Linear(dim_h, dim_expanded)
        self.activation = nn.GELU()
        self.secondlayer = nn.Linear(dim_expanded, dim_h)

    def forward(self, x: Tensor) -> Tensor:
        *batch, T, dim_h = x.shape
        expanded = self.activation(self.firstlayer(x.reshape(-1, dim_h)))
        return self.secondlayer(expanded).reshape(*batch, T, dim_h)
