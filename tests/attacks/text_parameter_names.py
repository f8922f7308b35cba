"""Gives parameters names of markup, formulas, control characters and other directions.

exercise: QueryKeyValue
safe: they are shown as the texts that they are, cut, without what moves a cursor
"""

import torch
from torch import nn

NAMES = ["<script>alert(1)</script>", "=1+1", "\x1b[2J", "\u202egnp", "\u2066", "a\nb", "%s", "{x}"]


class QueryKeyValue(nn.Module):
    def __init__(self, dim_h, dim_k):
        super().__init__()
        for number in range(990):
            name = f"{NAMES[number % len(NAMES)]}{number}" * 20
            self._parameters[name] = nn.Parameter(torch.ones(dim_h, dim_k))

    def forward(self, X):
        return X, X, X
