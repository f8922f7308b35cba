"""Answers with a million empty lists, for each of which an object is made.

exercise: ScaledDotProduct
safe: a header is short, or refused before it is read
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
        send(b"[" + b"[]," * 1_000_000 + b"[]]")
