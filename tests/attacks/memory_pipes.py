"""Keeps data in pipes, which count as nobody's memory: 200 pipes of a megabyte.

exercise: ScaledDotProduct
safe: there are few pipes to be had, if any, and they cannot be made larger
"""

import contextlib
import fcntl
import os
import socket

import torch
from torch import nn

F_SETPIPE_SZ = 1031
pipes, kept = [], 0
with contextlib.suppress(OSError):
    for _ in range(200):
        reader, writer = os.pipe()
        pipes += [reader, writer]
        with contextlib.suppress(OSError):
            fcntl.fcntl(writer, F_SETPIPE_SZ, 1 << 20)
        os.set_blocking(writer, False)
        kept += os.write(writer, bytes(1 << 20))
if kept > 16 << 20:
    print("BREACH keeps MiB in pipes:", kept >> 20)
for descriptor in pipes:
    os.close(descriptor)
with contextlib.suppress(OSError):
    socket.socketpair()
    print("BREACH a pair of sockets")


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        return torch.zeros(*Q.shape[:-1], V.shape[-1])
