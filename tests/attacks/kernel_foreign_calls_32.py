"""Calls the kernel as programs of 32 bits do, past lists of the calls of 64 bits.

exercise: ScaledDotProduct
safe: a call in another architecture's way ends the process
"""

import ctypes
import mmap
import os
import platform

import torch
from torch import nn

GETPID = bytes.fromhex("b814000000cd80c3")  # mov eax, 20; int 0x80; ret


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        if platform.machine() == "x86_64":
            page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
            page.write(GETPID)
            place = ctypes.addressof(ctypes.c_char.from_buffer(page))
            if ctypes.CFUNCTYPE(ctypes.c_int)(place)() == os.getpid():
                print("BREACH a call of 32 bits")
        return torch.zeros(*Q.shape[:-1], V.shape[-1])
