"""Registers ten thousand parameters of a million numbers, all in the same memory.

exercise: QueryKeyValue
safe: a reply has a largest size
"""

import torch
from torch import nn


class QueryKeyValue(nn.Module):
    def __init__(self, *sizes):
        super().__init__()
        numbers = nn.Parameter(torch.zeros(1).expand(1000, 1000))
        for name in range(10_000):
            self.register_parameter(f"p{name}", numbers)

    def forward(self, X):
        return X, X, X
