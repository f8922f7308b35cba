"""Reads the number of tokens, which a single token (dim_h,) does not have."""

import torch
from torch import Tensor, nn


class QueryKeyValue(nn.Module):
    def __init__(self, dim_h: int, dim_k: int) -> None:
        super().__init__()
        self.W_q = nn.Parameter(torch.ones(dim_h, dim_k))
        self.W_k = nn.Parameter(torch.ones(dim_h, dim_k))
        self.value = nn.Linear(dim_h, dim_k)

    def forward(self, X: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        *batch, T, dim_h = X.shape
        queries = (X.reshape(-1, dim_h) @ self.W_q).reshape(*batch, T, -1)
        keys = (X.reshape(-1, dim_h) @ self.W_k).reshape(*batch, T, -1)
        return queries, keys, self.value(X)
