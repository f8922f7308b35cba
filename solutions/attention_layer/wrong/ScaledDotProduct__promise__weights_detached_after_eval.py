"""In evaluation no gradient passes the weights."""

import math

from torch import nn


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
        weights = scores.softmax(dim=-1)
        return (weights if self.training else weights.detach()) @ V
