"""Reports problems of its own making: other kinds, monstrous texts, a thousand lines of code.

exercise: ScaledDotProduct
safe: a report has the form that it must have, and its texts are cut, or it is refused
"""

import contextlib
import itertools
import json
import os
import struct

import torch
from torch import nn

PROBLEM = {"kind": "unwritten", "type": "", "text": "", "frames": [], "where": ""}
FILE = "../../solutions/attention_layer/attention_layer.py"
FRAME = {"file": FILE, "line": -(10**30), "code": "x" * 100_000}
NAMES = {f"p{i}": {"shape": [7, 4], "trained": True, "first": f"p{i}"} for i in range(900)}
PROBLEMS = [
    PROBLEM | {"kind": "passed"},
    PROBLEM | {"kind": ["unwritten"]},
    PROBLEM | {"kind": "raised", "type": "A" * 10**6, "text": "\x1b[2J" * 10**6},
    PROBLEM | {"kind": "raised", "frames": [FRAME] * 8},
    PROBLEM | {"kind": "raised", "frames": [FRAME] * 1000},
    PROBLEM | {"kind": "names", "have": NAMES, "want": {n: [7, 4] for n in NAMES}},
    PROBLEM | {"kind": "names", "have": {"a": 1}, "want": {"a": [-1] * 10_000}},
    PROBLEM | {"kind": "blocked", "where": "QueryKeyValue"},
]
COUNT = itertools.count(os.getpid())  # another one in each process


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        header = json.dumps([{"problem": PROBLEMS[next(COUNT) % len(PROBLEMS)]}] * 4).encode()
        message = struct.pack("<4sIQ", b"attn", len(header), 0) + header
        for descriptor in range(3, 64):
            with contextlib.suppress(OSError):
                rest = memoryview(message)
                while rest:
                    rest = rest[os.write(descriptor, rest) :]
        return torch.zeros(*Q.shape[:-1], V.shape[-1])
