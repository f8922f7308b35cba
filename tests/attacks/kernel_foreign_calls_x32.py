"""Calls the kernel by the numbers of the x32 ABI, past lists of the usual ones.

exercise: ScaledDotProduct
safe: such a number is refused, or ends the process
"""

import ctypes
import os
import platform

import torch
from torch import nn

X32, GETPID, SOCKET = 0x40000000, 39, 41


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        if platform.machine() == "x86_64":
            libc = ctypes.CDLL(None, use_errno=True)
            if (
                libc.syscall(X32 | GETPID) == os.getpid()
                or libc.syscall(X32 | SOCKET, 2, 1, 0) >= 0
            ):
                print("BREACH a call of x32")
        return torch.zeros(*Q.shape[:-1], V.shape[-1])
