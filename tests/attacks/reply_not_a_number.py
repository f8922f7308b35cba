"""Answers with NaN, Infinity and 1e999 in the header.

exercise: ScaledDotProduct
safe: numbers in a header are finite
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
        send([b"[NaN]", b"[1e999]", b"[-Infinity]", b'[[{"value": -0.0}]]'][os.getpid() % 4])
