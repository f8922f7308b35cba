"""Raises exceptions with a chain of causes that closes on itself, and a traceback without end.

exercise: ScaledDotProduct
safe: only a few lines of the student's own are followed
"""

from torch import nn


def deeper(depth):
    if depth:
        deeper(depth - 1)
    first, second = ValueError("first"), ValueError("second")
    first.__cause__, second.__cause__ = second, first
    first.__traceback__ = None
    raise first from second


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        deeper(900)
