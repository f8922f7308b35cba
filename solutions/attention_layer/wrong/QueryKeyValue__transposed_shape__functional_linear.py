"""F.linear does all three products, so W_q and W_k are kept as (dim_k, dim_h)."""

import torch
import torch.nn.functional as F
from torch import nn


class QueryKeyValue(nn.Module):
    def __init__(self, dim_h, dim_k):
        super().__init__()
        shape = (dim_k, dim_h)
        self.W_q = nn.Parameter(torch.ones(shape))
        self.W_k = nn.Parameter(torch.ones(shape))
        self.value = nn.Linear(dim_h, dim_k)

    def forward(self, X):
        triples = (self.W_q, None), (self.W_k, None), (self.value.weight, self.value.bias)
        return tuple(F.linear(X, weight, bias) for weight, bias in triples)
