"""Prints without end, so that something always arrives.

exercise: ScaledDotProduct
safe: the time limit runs from the question on, whatever arrives
"""

import contextlib

from torch import nn


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        while True:
            with contextlib.suppress(BaseException):
                print("working" * 1000)
