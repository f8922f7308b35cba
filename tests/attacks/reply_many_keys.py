"""Answers with sixty thousand different keys, and a float of a thousand digits.

exercise: ScaledDotProduct
safe: reading it takes no time worth a word
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
        keys = ",".join(f'"{i}": 0.{i}' for i in range(60_000))
        send(f"[{{{keys}}}, 0.{'9' * 1000}]".encode())
