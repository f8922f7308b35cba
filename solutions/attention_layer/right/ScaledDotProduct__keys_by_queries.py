"""Holds the scores as keys x queries, so the softmax is over dim=-2: the transpose of the usual."""

import math

from einops import einsum
from torch import nn


class ScaledDotProduct(nn.Module):
    def __init__(self):
        super().__init__()
        self.over_keys = nn.Softmax(dim=-2)

    def forward(self, Q, K, V):
        scores = einsum(K, Q, "... s d, ... l d -> ... s l")
        weights = self.over_keys(scores / math.sqrt(Q.shape[-1]))
        return einsum(weights, V, "... s l, ... s v -> ... l v")
