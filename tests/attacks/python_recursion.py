"""Recurses until the stack of its process is used up.

exercise: ScaledDotProduct
safe: its process crashes, and no other
"""

import sys

from torch import nn


def deeper(thing):
    return deeper([thing, sorted([thing], key=deeper)])


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        sys.setrecursionlimit(10**9)
        return deeper(0)
