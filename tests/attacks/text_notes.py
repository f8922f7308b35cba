"""Hangs notes, causes and groups of exceptions at what it raises, ten thousand deep.

exercise: ScaledDotProduct
safe: one exception is told, cut to a limit
"""

import builtins

from torch import nn


def deep():
    error = ValueError("x")
    for _ in range(10_000):
        outer = ValueError("y" * 100)
        outer.__cause__ = error
        outer.__notes__ = ["BREACHED \x1b[2J" * 100]
        error = outer
    group = getattr(builtins, "ExceptionGroup", lambda text, errors: error)  # of Python 3.11
    return group("g" * 10_000, [error] * 1000)


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        raise deep()
