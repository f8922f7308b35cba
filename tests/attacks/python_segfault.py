"""Reads where there is no memory.

exercise: ScaledDotProduct
safe: its process crashes without a trace on disk
"""

import ctypes
import faulthandler

from torch import nn


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        faulthandler.enable()
        return ctypes.string_at(8, 1 << 40)
