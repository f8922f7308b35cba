"""Says that one large tensor is the answer ten thousand times over.

exercise: ScaledDotProduct
safe: a tensor may be used again as far as its numbers allow
"""

import contextlib
import os
import struct

from torch import nn


def send(header, body=b""):
    message = struct.pack("<4sIQ", b"attn", len(header), len(body)) + header + body
    with contextlib.suppress(OSError):
        while message:
            message = message[os.write(3, message) :]
    os._exit(0)


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        again = b",".join([b'{"$again": 0}'] * 10_000)
        send(b'[{"$tensor": ["float64", [200000]]},' + again + b"]", bytes(1_600_000))
