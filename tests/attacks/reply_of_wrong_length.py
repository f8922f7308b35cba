"""Answers every question with the answers to one step more, or one less.

exercise: ScaledDotProduct
safe: there is one answer to a step
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
        answers = [b'{"value": null}'] * (os.getpid() % 3 + 2)
        send(b"[" + b",".join(answers) + b"]")
