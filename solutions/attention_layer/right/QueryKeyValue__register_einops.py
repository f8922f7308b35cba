"""register_parameter and einops.einsum with named axes: registered and multiplied all the same."""

import torch
from einops import einsum
from torch import Tensor, nn


class QueryKeyValue(nn.Module):
    W_q: nn.Parameter
    W_k: nn.Parameter

    def __init__(self, dim_h: int, dim_k: int) -> None:
        super().__init__()
        for name in ("W_q", "W_k"):
            self.register_parameter(name, nn.Parameter(torch.ones(dim_h, dim_k)))
        self.add_module("value", nn.Linear(dim_h, dim_k))

    def forward(self, X: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        pattern = "... feature, feature key -> ... key"
        queries, keys = (einsum(X, getattr(self, n), pattern) for n in ("W_q", "W_k"))
        values = einsum(X, self.value.weight, "... feature, key feature -> ... key")
        return queries, keys, values + self.value.bias
