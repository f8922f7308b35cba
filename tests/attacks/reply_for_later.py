"""Puts an answer for the next question into the pipe, before that one was asked.

exercise: ScaledDotProduct
safe: more than one answer to a question is refused
"""

import contextlib
import os
import struct
import threading
import time

import torch
from torch import nn

HEADER = b'[{"value": null}, {"value": {"output": null, "changed": [], "gradients": null}}]'


def later():
    message = struct.pack("<4sIQ", b"attn", len(HEADER), 0) + HEADER
    for _ in range(20):
        time.sleep(0.05)
        for descriptor in range(3, 16):
            with contextlib.suppress(OSError):
                os.write(descriptor, message)


with contextlib.suppress(RuntimeError):
    threading.Thread(target=later, daemon=True).start()
    print("BREACH a thread that outlives the answer")


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        return torch.zeros(*Q.shape[:-1], V.shape[-1])
