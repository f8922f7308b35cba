"""Consults an oracle though there is none, with names of types that nobody expects.

exercise: ScaledDotProduct
safe: who consults nobody is refused
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
        asked = [b'"of": {}', b'"of": "__class__"', b'"do": []', b'"of": [1]'][os.getpid() % 4]
        send(b'{"consult": {' + asked + b"}}")
