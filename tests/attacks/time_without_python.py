"""Computes in C without a pause, where no exception can be raised: a power, a pattern, a sort.

exercise: ScaledDotProduct
safe: it is killed from outside
"""

from torch import nn


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        return 7 ** (7**12)
