"""Makes strings, numbers and lists of sizes that no machine has.

exercise: ScaledDotProduct
safe: memory is limited, and what takes long without a pause is ended from outside
"""

import contextlib

import torch
from torch import nn


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        for make in (
            lambda: "x" * (1 << 40),
            lambda: [0] * (1 << 40),
            lambda: bytearray(1 << 40),
            lambda: torch.zeros(1 << 20, 1 << 20),
            lambda: format(1, f"{1 << 33}d"),
            lambda: {i: i for i in range(1 << 30)},
        ):
            with contextlib.suppress(MemoryError, RuntimeError, OverflowError):
                make()
                print("BREACH made it")
        return torch.zeros(*Q.shape[:-1], V.shape[-1])
