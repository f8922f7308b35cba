"""The bias of the values starts as ones."""

import torch
from torch import Tensor, nn


class QueryKeyValue(nn.Module):
    def __init__(self, dim_h: int, dim_k: int) -> None:
        super().__init__()
        self.W_q = nn.Parameter(torch.ones(dim_h, dim_k))
        self.W_k = nn.Parameter(torch.ones(dim_h, dim_k))
        self.value = nn.Linear(dim_h, dim_k)
        nn.init.ones_(self.value.bias)

    def forward(self, X: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        queries = X @ self.W_q
        keys = X @ self.W_k
        values = self.value(X)
        return queries, keys, values
