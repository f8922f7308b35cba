"""Prints and raises bytes that are no text: surrogates, half characters, zeros.

exercise: ScaledDotProduct
safe: whatever cannot be shown is replaced
"""

import os

from torch import nn


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        os.write(1, b"\xff\xfe\x00\xc3\x28\xed\xa0\x80\x9b2J" * 50)
        raise ValueError(
            "\ud800\udfff\x00\ufffe\uffff" + "\U000e0041" * 300 + "a" + "\u0301" * 3000
        )
