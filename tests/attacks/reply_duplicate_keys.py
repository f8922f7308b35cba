"""Sends answers in which keys stand twice, tensors refer to others, and one serves for all.

exercise: ScaledDotProduct
safe: a header that names a key twice, or a tensor that is not there, is refused
"""

import contextlib
import itertools
import os
import struct

import torch
from torch import nn

TENSOR = b'{"$tensor": ["float64", [1]]}'
CALLED = b'"changed": [], "gradients": null'
HEADERS = [
    b'[{"value": 1, "value": 2}]',
    b'[{"value": {"output": {"$tensor": ["float64", [1]], "$tensor": ["float64", [1]]}}}]',
    b'[{"value": {"output": {"$again": 0}, ' + CALLED + b"}}]",
    b'[{"value": {"output": {"$again": -1}, ' + CALLED + b"}}]",
    b'[{"value": {"output": [' + TENSOR + b"]" + b', {"$again": 0}' * 1000 + b"}}]",
    b'[{"value": {"output": {"$tensor": ["float64", [1]], "$again": 0}, ' + CALLED + b"}}]",
]
COUNT = itertools.count(os.getpid())  # another one in each process


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        header = HEADERS[next(COUNT) % len(HEADERS)]
        message = struct.pack("<4sIQd", b"attn", len(header), 8, 1.0)[:16] + header + bytes(8)
        for descriptor in range(3, 64):
            with contextlib.suppress(OSError):
                os.write(descriptor, message)
        return torch.zeros(*Q.shape[:-1], V.shape[-1])
