"""Has parameters of other names, so that layouts are tried, and sleeps in each try.

exercise: QueryKeyValue
safe: no layout is tried once half the time is spent
"""

import time

import torch
from torch import nn


class QueryKeyValue(nn.Module):
    def __init__(self, dim_h, dim_k):
        super().__init__()
        for name in "abcdefgh":
            self.register_parameter(name, nn.Parameter(torch.ones(dim_h, dim_k)))
        self.last = nn.Linear(dim_h, dim_k)

    def forward(self, X):
        time.sleep(0.1)
        return X @ self.a * 2, X @ self.b, self.last(X)
