"""A Sequential of an OrderedDict without a forward; one of its entries is a dropout."""

from collections import OrderedDict

from torch import nn


class FeedForwardLayer(nn.Sequential):
    def __init__(self, dim_h: int, dim_expanded: int, p: float = 0.1) -> None:
        layers = OrderedDict(
            firstlayer=nn.Linear(dim_h, dim_expanded),
            activation=nn.GELU(),
            dropout=nn.Dropout(p),
            secondlayer=nn.Linear(dim_expanded, dim_h),
        )
        super().__init__(layers)
