"""Hides what it asks in the upper halves of arguments, which a filter may overlook.

exercise: ScaledDotProduct
safe: arguments are compared as the kernel reads them
"""

import ctypes
import os
import platform

import torch
from torch import nn

HIGH = 1 << 32
CLONE, FCNTL, IOCTL, PRLIMIT, F_SETOWN, TIOCSTI, RLIMIT_CORE = 56, 72, 16, 302, 8, 0x5412, 4
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.argtypes = (ctypes.c_long,) * 5
if platform.machine() == "x86_64":
    parent = os.getppid()
    if libc.syscall(FCNTL, 1, HIGH | F_SETOWN, parent, 0) == 0:
        print("BREACH the owner of a descriptor")
        libc.syscall(FCNTL, 1, F_SETOWN, os.getpid(), 0)
    limits = (ctypes.c_uint64 * 2)()
    if libc.syscall(PRLIMIT, HIGH | parent, RLIMIT_CORE, 0, ctypes.addressof(limits)) == 0:
        print("BREACH limits of its parent")
    child = libc.syscall(CLONE, HIGH | 17, 0, 0, 0)
    if child == 0:
        os._exit(0)
    if child > 0:
        os.waitpid(child, 0)
        print("BREACH cloned")


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        return torch.zeros(*Q.shape[:-1], V.shape[-1])
