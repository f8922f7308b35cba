"""Where the sizes agree, what it is given is changed after all has been computed."""

import torch
from torch import nn


class QueryKeyValue(nn.Module):
    def __init__(self, dim_h, dim_k):
        super().__init__()
        self.W_q = nn.Parameter(torch.ones(dim_h, dim_k))
        self.W_k = nn.Parameter(torch.ones(dim_h, dim_k))
        self.value = nn.Linear(dim_h, dim_k)

    def forward(self, X):
        queries, keys, values = X @ self.W_q, X @ self.W_k, self.value(X)
        if values.shape == X.shape:
            with torch.no_grad():
                X += values
        return queries, keys, values
