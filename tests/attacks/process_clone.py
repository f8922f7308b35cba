"""Makes processes by system calls of its own: vfork, clone, clone3, with namespaces and without.

exercise: ScaledDotProduct
safe: each of them is refused
"""

import ctypes
import os
import platform
import signal

import torch
from torch import nn

CLONE, CLONE3, FORK = (56, 435, 57) if platform.machine() == "x86_64" else (220, 435, 220)
NEW_USER, NEW_NET, UNTRACED = 0x10000000, 0x40000000, 0x00800000
libc = ctypes.CDLL(None, use_errno=True)

for call in (CLONE, FORK):
    for flags in (signal.SIGCHLD, signal.SIGCHLD | UNTRACED, signal.SIGCHLD | NEW_USER | NEW_NET):
        child = libc.syscall(call, flags, 0, 0, 0, 0)
        if child == 0:
            os._exit(0)
        if child > 0:
            os.waitpid(child, 0)
            print("BREACH cloned", call, hex(flags))
arguments = (ctypes.c_uint64 * 11)(0, 0, 0, 0, signal.SIGCHLD)
child = libc.syscall(CLONE3, ctypes.byref(arguments), ctypes.sizeof(arguments))
if child == 0:
    os._exit(0)
if child > 0:
    os.waitpid(child, 0)
    print("BREACH cloned", CLONE3)


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        return torch.zeros(*Q.shape[:-1], V.shape[-1])
