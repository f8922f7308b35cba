"""Describes tensors that cannot be: negative, of 2^63 numbers, beyond the body, of foreign types.

exercise: ScaledDotProduct
safe: shapes and types are checked before a tensor is made of them
"""

import contextlib
import itertools
import json
import os
import struct

import torch
from torch import nn

TENSORS = [
    ["float64", [2**63]],
    ["float64", [-1]],
    ["float64", [2**32, 2**32, 0]],
    ["float64", [10**400]],
    ["float64", [1000]],
    ["float64", [True, 1]],
    ["float64", [1.0]],
    ["object", [1]],
    ["float64", [1] * 5000],
    ["float64", {"0": 1}],
    [["float64"], [1]],
    "float64",
]
COUNT = itertools.count(os.getpid())  # another one in each process


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        called = {
            "output": {"$tensor": TENSORS[next(COUNT) % len(TENSORS)]},
            "changed": [],
            "gradients": None,
        }
        header = json.dumps([{"value": None}, *[{"value": called}] * 3]).encode()
        message = struct.pack("<4sIQ", b"attn", len(header), 8) + header + bytes(8)
        for descriptor in range(3, 64):
            with contextlib.suppress(OSError):
                os.write(descriptor, message)
        return torch.zeros(*Q.shape[:-1], V.shape[-1])
