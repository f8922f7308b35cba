"""Lists parameters of the right names and shapes that are not there.

exercise: QueryKeyValue
safe: parameters are read where PyTorch registers them
"""

import torch
from torch import nn


class QueryKeyValue(nn.Module):
    def __init__(self, dim_h, dim_k):
        super().__init__()
        self.sizes = dim_h, dim_k

    def named_parameters(self, *given, **named):
        dim_h, dim_k = self.sizes
        yield "W_q", nn.Parameter(torch.ones(dim_h, dim_k))
        yield "W_k", nn.Parameter(torch.ones(dim_h, dim_k))
        yield "value.weight", nn.Parameter(torch.rand(dim_k, dim_h))
        yield "value.bias", nn.Parameter(torch.rand(dim_k))

    def parameters(self, *given, **named):
        return (parameter for _, parameter in self.named_parameters())

    def forward(self, X):
        return (torch.rand(*X.shape[:-1], self.sizes[1], dtype=X.dtype),) * 3
