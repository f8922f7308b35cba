"""Makes strings, numbers and lists of 4 GiB each.

exercise: ScaledDotProduct
safe: memory is limited, and what takes long without a pause is ended from outside
"""

import contextlib

import torch
from torch import nn


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        for make in (
            lambda: "x" * (1 << 32),
            lambda: [0] * (1 << 29),
            lambda: bytearray(1 << 32),
            lambda: torch.zeros(1 << 30),
            lambda: format(1, f"{1 << 32}d"),
        ):
            with contextlib.suppress(MemoryError, RuntimeError, OverflowError):
                make()
                print("BREACH made it")
        return torch.zeros(*Q.shape[:-1], V.shape[-1])
