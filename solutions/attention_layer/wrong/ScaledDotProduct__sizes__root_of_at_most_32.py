"""The divisor grows up to the root of 32 only."""

import math

from torch import nn


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        scores = Q @ K.transpose(-2, -1) / math.sqrt(min(Q.shape[-1], 32))
        return scores.softmax(dim=-1) @ V
