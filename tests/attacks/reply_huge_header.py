"""Sends a header of 60 MB that would become 20 million lists.

exercise: ScaledDotProduct
safe: a header has a limit of its own; the grader's memory does not grow
"""

import contextlib
import os
import struct

from torch import nn


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        header = b"[" + b"[]," * 20_000_000 + b"0]"
        for descriptor in range(3, 64):
            with contextlib.suppress(OSError):
                rest = memoryview(struct.pack("<4sIQ", b"attn", len(header), 0) + header)
                while rest:
                    rest = rest[os.write(descriptor, rest) :]
