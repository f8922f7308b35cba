"""Answers in UTF-16, with surrogates, zero bytes and characters that are not ASCII.

exercise: ScaledDotProduct
safe: a header is ASCII
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
        headers = [b"\xff\xfe[\x00]\x00", b'["\\ud800"]', b'["\x00"]', b'["\xc3\xa9"]']
        send(headers[os.getpid() % 4])
