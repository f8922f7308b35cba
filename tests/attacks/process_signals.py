"""Asks of whom it may send signals: its parent, the first process, its group, all there are.

exercise: ScaledDotProduct
safe: only itself
"""

import contextlib
import ctypes
import os
import platform

import torch
from torch import nn

libc = ctypes.CDLL(None, use_errno=True)
parent, group = os.getppid(), os.getpgid(os.getppid()) if os.getppid() else 1
for process in {parent, 1, 2, -group, -1} - {0, os.getpid()}:
    with contextlib.suppress(OSError):
        os.kill(process, 0)
        print("BREACH may send a signal to", process)
with contextlib.suppress(OSError, AttributeError):
    os.close(os.pidfd_open(parent))
    print("BREACH has a descriptor of", parent)
numbers_known = platform.machine() == "x86_64" and parent
if numbers_known and libc.syscall(200, parent, 0) == 0:  # tkill
    print("BREACH may send a signal to a thread of", parent)
if numbers_known and libc.syscall(234, parent, parent, 0) == 0:  # tgkill
    print("BREACH may send a signal to the thread", parent)


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        return torch.zeros(*Q.shape[:-1], V.shape[-1])
