"""Keeps data in files without a name: memfd_create, memfd_secret, O_TMPFILE.

exercise: ScaledDotProduct
safe: no file can be made or grow, not even in memory
"""

import contextlib
import ctypes
import os

import torch
from torch import nn

MEMFD_SECRET, O_TMPFILE = 447, 0o20200000
libc = ctypes.CDLL(None, use_errno=True)
with contextlib.suppress(OSError):
    file = os.memfd_create("breach")
    print("BREACH a file in memory")
    os.ftruncate(file, 64 << 20)
    print("BREACH of MiB", 64)
    os.close(file)
secret = libc.syscall(MEMFD_SECRET, 0)
if secret >= 0:
    print("BREACH secret memory")
    os.close(secret)
for folder in ("/tmp", "/dev/shm", "/"):
    with contextlib.suppress(OSError):
        os.close(os.open(folder, os.O_RDWR | O_TMPFILE, 0o600))
        print("BREACH a file without a name in", folder)


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        return torch.zeros(*Q.shape[:-1], V.shape[-1])
