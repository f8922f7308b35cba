"""Spanish names and one chained assignment, so that W_q and W_k are the same parameter."""

import torch
import torch.nn as nn


class QueryKeyValue(nn.Module):
    def __init__(self, dim_h, dim_k):
        super(QueryKeyValue, self).__init__()
        self.W_q = self.W_k = nn.Parameter(torch.full((dim_h, dim_k), 1.0))
        self.value = nn.Linear(dim_h, dim_k)

    def forward(self, X):
        consultas, claves = [torch.matmul(X, pesos) for pesos in (self.W_q, self.W_k)]
        valores = self.value(X)
        return consultas, claves, valores
