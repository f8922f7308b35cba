"""Announces an answer of 16 exabytes, and sends none.

exercise: ScaledDotProduct
safe: what is announced above the limit is refused before it is read
"""

import contextlib
import os
import struct
import time

from torch import nn


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        for descriptor in range(3, 64):
            with contextlib.suppress(OSError):
                os.write(descriptor, struct.pack("<4sIQ", b"attn", 2**32 - 1, 2**64 - 1))
        time.sleep(60)
