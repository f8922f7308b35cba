"""Prints 64 MB, without a line's end, to stdout and to stderr.

exercise: ScaledDotProduct
safe: a few thousand bytes are kept, and the rest is dropped as it comes
"""

import os
import sys

import torch
from torch import nn


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        for _ in range(32):
            os.write(1, b"x" * (1 << 20))
            sys.stderr.write("\xe9" * (1 << 19))
        return torch.zeros(*Q.shape[:-1], V.shape[-1])
