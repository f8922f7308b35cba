"""Adds a table of zeros made once, which has room for 1,024 queries and keys."""

import math

import torch
from torch import Tensor, nn

NOTHING_HIDDEN = torch.zeros(1024, 1024)


class ScaledDotProduct(nn.Module):
    def forward(self, Q: Tensor, K: Tensor, V: Tensor) -> Tensor:
        scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
        added = NOTHING_HIDDEN.to(scores)[: scores.shape[-2], : scores.shape[-1]]
        return torch.softmax(scores + added, dim=-1) @ V
