"""An nn.Sequential with the three prescribed names: its forward passes x through them in order."""

from collections import OrderedDict

from torch import nn


class FeedForwardLayer(nn.Sequential):
    """Widen, bend, narrow; forward is inherited."""

    def __init__(self, dim_h: int, dim_expanded: int) -> None:
        super().__init__(
            OrderedDict(
                [
                    ("firstlayer", nn.Linear(dim_h, dim_expanded)),
                    ("activation", nn.GELU(approximate="none")),
                    ("secondlayer", nn.Linear(dim_expanded, dim_h)),
                ]
            )
        )
