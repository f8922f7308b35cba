"""Reserves address space without limit, locks pages, takes huge ones.

exercise: ScaledDotProduct
safe: address space is limited as well, and no page can be locked
"""

import contextlib
import ctypes
import mmap

import torch
from torch import nn

MAP_NORESERVE, MAP_HUGETLB = 0x4000, 0x40000
libc = ctypes.CDLL(None, use_errno=True)
taken = []
with contextlib.suppress(OSError, ValueError, MemoryError):
    for _ in range(16):
        flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | MAP_NORESERVE
        taken.append(mmap.mmap(-1, 1 << 32, flags=flags))
if taken:
    print("BREACH reserved GiB", 4 * len(taken))
if libc.mlockall(1) == 0:
    print("BREACH locked its memory")
    libc.munlockall()
with contextlib.suppress(OSError, ValueError, MemoryError):
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | MAP_HUGETLB
    taken.append(mmap.mmap(-1, 1 << 21, flags=flags))
    print("BREACH a huge page")
taken.clear()


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        return torch.zeros(*Q.shape[:-1], V.shape[-1])
