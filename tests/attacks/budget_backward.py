"""Sleeps in the backward of each operation, and in hooks on each gradient.

exercise: ScaledDotProduct
safe: a gradient is part of its question
"""

import time

from torch import nn


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        out = (Q.sum() + K.sum() + V.sum()) * Q.new_ones(*Q.shape[:-1], V.shape[-1])
        if out.requires_grad:
            out.register_hook(lambda gradient: time.sleep(0.4))
        return out
