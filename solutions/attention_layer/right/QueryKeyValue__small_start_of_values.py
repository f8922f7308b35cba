"""value starts with normal numbers of 0.02 and a bias of 0; queries and keys in one product."""

import torch
from torch import nn


class QueryKeyValue(nn.Module):
    def __init__(self, dim_h, dim_k):
        super().__init__()
        self.W_q = nn.Parameter(torch.ones(dim_h, dim_k))
        self.W_k = nn.Parameter(torch.ones(dim_h, dim_k))
        self.value = nn.Linear(dim_h, dim_k)
        nn.init.normal_(self.value.weight, std=0.02)
        nn.init.zeros_(self.value.bias)

    def forward(self, X):
        both = X @ torch.cat([self.W_q, self.W_k], dim=-1)
        return *both.chunk(2, dim=-1), self.value(X)
