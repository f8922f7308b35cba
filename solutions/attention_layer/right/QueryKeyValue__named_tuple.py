"""Returns a NamedTuple: a tuple in the order queries, keys, values that has names as well."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn


class QKV(NamedTuple):
    queries: Tensor
    keys: Tensor
    values: Tensor


class QueryKeyValue(nn.Module):
    def __init__(self, dim_h: int = 8, dim_k: int = 4, *, bias: bool = True) -> None:
        super().__init__()
        self.W_q, self.W_k = (nn.Parameter(torch.ones(dim_h, dim_k)) for _ in range(2))
        self.value = nn.Linear(in_features=dim_h, out_features=dim_k, bias=bias)

    def forward(self, X: Tensor) -> QKV:
        return QKV(values=self.value(X), keys=X @ self.W_k, queries=X @ self.W_q)
