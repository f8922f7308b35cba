"""functools.reduce over the children, which PyTorch keeps in the order in which they were made."""

from functools import reduce

from torch import nn


class FeedForwardLayer(nn.Module):
    def __init__(self, dim_h, dim_expanded, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.add_module("firstlayer", nn.Linear(dim_h, dim_expanded, True))
        self.add_module("activation", nn.GELU())
        self.add_module("secondlayer", nn.Linear(dim_expanded, dim_h, True))

    def forward(self, x):
        return reduce(lambda h, layer: layer(h), self.children(), x)
