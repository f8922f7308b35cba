"""Reads, and writes a grade into, every descriptor that it was not meant to have.

exercise: ScaledDotProduct
safe: there are the standard ones and the two pipes of its own, and no others
"""

import fcntl
import os
import stat

import torch
from torch import nn

foreign = 0
for descriptor in range(3, 1024):
    try:
        kind = os.fstat(descriptor).st_mode
    except OSError:
        continue
    if stat.S_ISFIFO(kind) and foreign < 2:  # requests and replies
        foreign += 1
        continue
    print("BREACH descriptor", descriptor, oct(kind))
    if stat.S_ISREG(kind):
        print("BREACH read", os.pread(descriptor, 200, 0))
    if stat.S_ISSOCK(kind):
        fcntl.fcntl(descriptor, fcntl.F_GETFL)


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        return torch.zeros(*Q.shape[:-1], V.shape[-1])
