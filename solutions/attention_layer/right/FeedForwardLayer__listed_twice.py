"""The stated layers stand in an nn.Sequential too: each parameter is registered under two names."""

from torch import Tensor, nn


class FeedForwardLayer(nn.Module):
    """Widen, bend, narrow, by one call of the sequence."""

    def __init__(self, dim_h: int, dim_expanded: int) -> None:
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(dim_h, dim_expanded), nn.GELU(), nn.Linear(dim_expanded, dim_h)
        )
        self.firstlayer, self.activation, self.secondlayer = self.net

    def forward(self, x: Tensor) -> Tensor:
        return self.net(x)
