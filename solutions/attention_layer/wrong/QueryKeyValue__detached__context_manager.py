"""Broadcast sums in a helper; the queries are made under torch.no_grad, so no gradient passes them."""

import torch
from torch import nn


def project(features, matrix):
    return torch.sum(features[..., :, None] * matrix, dim=-2)


class QueryKeyValue(nn.Module):
    def __init__(self, dim_h, dim_k):
        super().__init__()
        self.W_q = nn.Parameter(torch.ones([dim_h, dim_k]))
        self.W_k = nn.Parameter(torch.ones([dim_h, dim_k]))
        self.value = nn.Linear(dim_h, dim_k)

    def forward(self, X):
        with torch.no_grad():
            q = project(X, self.W_q)
        k = project(X, self.W_k)
        v = self.value(X)
        return q, k, v
