"""Has every attribute that anybody asks for, each a parameter of the wanted shape.

exercise: QueryKeyValue
safe: an attribute that is made when it is asked for is no parameter
"""

import torch
from torch import nn


class QueryKeyValue(nn.Module):
    def __init__(self, dim_h, dim_k):
        super().__init__()
        self.__dict__["sizes"] = dim_h, dim_k

    def __getattr__(self, name):
        dim_h, dim_k = self.__dict__.get("sizes", (1, 1))
        shapes = {"weight": (dim_k, dim_h), "bias": (dim_k,)}
        if name.startswith("_"):
            return super().__getattr__(name)
        return nn.Parameter(torch.ones(shapes.get(name, (dim_h, dim_k))))

    def forward(self, X):
        return (X.new_zeros(*X.shape[:-1], self.sizes[1]),) * 3
