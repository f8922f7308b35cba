"""Queries beyond the number of keys are cut off."""

import math

from torch import nn


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        Q = Q[..., : K.shape[-2], :]
        scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
        return scores.softmax(dim=-1) @ V
