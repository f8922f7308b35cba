"""Answers with integers of a hundred thousand digits, that take long to be read.

exercise: ScaledDotProduct
safe: such a number is refused
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
        send(b"[" + b"9" * 100_000 + b", -" + b"9" * 4200 + b"]")
