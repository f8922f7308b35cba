"""Sends a header in which a hundred thousand lists stand in one another.

exercise: ScaledDotProduct
safe: it is refused; nothing in the grader recurses without end
"""

import contextlib
import itertools
import os
import struct

import torch
from torch import nn

DEEP = 100_000
HEADERS = [
    b"[" * DEEP,
    b"[" * DEEP + b"]" * DEEP,
    b'{"a":' * DEEP + b"1" + b"}" * DEEP,
    b'[{"value":{"output":' + b"[" * 900 + b"]" * 900 + b',"changed":[],"gradients":null}}]',
    b"[" + b"9" * 100_000 + b"]",
    b"[1e999999, NaN, Infinity, -Infinity]",
]
COUNT = itertools.count(os.getpid())  # another one in each process


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        header = HEADERS[next(COUNT) % len(HEADERS)]
        message = struct.pack("<4sIQ", b"attn", len(header), 0) + header
        for descriptor in range(3, 64):
            with contextlib.suppress(OSError):
                rest = memoryview(message)
                while rest:
                    rest = rest[os.write(descriptor, rest) :]
        return torch.zeros(*Q.shape[:-1], V.shape[-1])
