"""Takes pages of a file out of the disk's cache, where a later process notices which are there.

exercise: ScaledDotProduct
safe: no advice about the cache is passed on
"""

import ctypes
import mmap

import torch
from torch import nn

ADVICE = {"RANDOM": 1, "WILLNEED": 3, "COLD": 20, "PAGEOUT": 21, "POPULATE_READ": 22}


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        libc = ctypes.CDLL(None, use_errno=True)
        memory = mmap.mmap(-1, mmap.PAGESIZE)
        place = ctypes.byref(ctypes.c_char.from_buffer(memory))
        for name, advice in ADVICE.items():
            if libc.madvise(place, ctypes.c_size_t(mmap.PAGESIZE), advice) != -1:
                print("BREACH it can advise", name)
        if libc.madvise(place, ctypes.c_size_t(mmap.PAGESIZE), mmap.MADV_DONTNEED) != 0:
            raise OSError("it cannot give back memory, which allocators do")
        return torch.zeros(*Q.shape[:-1], V.shape[-1])
