"""A reset_parameters method as in PyTorch's own layers, which starts W_q and W_k with Xavier's numbers."""

import torch
from torch import nn
from torch.nn import init


class QueryKeyValue(nn.Module):
    def __init__(self, dim_h: int, dim_k: int) -> None:
        super().__init__()
        for name in ("W_q", "W_k"):
            self.register_parameter(name, nn.Parameter(torch.empty(dim_h, dim_k)))
        self.value = nn.Linear(dim_h, dim_k)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        init.xavier_uniform_(self.W_q)
        init.xavier_uniform_(self.W_k)

    def forward(self, X: torch.Tensor) -> tuple[torch.Tensor, ...]:
        return (
            torch.einsum("...i,io->...o", X, self.W_q),
            torch.einsum("...i,io->...o", X, self.W_k),
            self.value(X),
        )
