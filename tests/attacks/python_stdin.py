"""Reads from stdin what might stand there: questions, a password, the instructor's keys.

exercise: ScaledDotProduct
safe: it is empty
"""

import contextlib
import os
import sys

import torch
from torch import nn

with contextlib.suppress(OSError):
    if data := os.read(0, 1000):
        print("BREACH stdin", data[:50])
with contextlib.suppress(OSError, ValueError, EOFError):
    print("BREACH a line", input() or sys.stdin.read())
with contextlib.suppress(OSError):
    terminal = os.open("/dev/tty", os.O_RDWR | os.O_NONBLOCK)
    print("BREACH the terminal", terminal)


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        return torch.zeros(*Q.shape[:-1], V.shape[-1])
