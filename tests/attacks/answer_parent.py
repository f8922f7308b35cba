"""Reads the memory of the process that it was forked from: ptrace, process_vm_readv, /proc.

exercise: ScaledDotProduct
safe: none of the ways is open
"""

import contextlib
import ctypes
import os

import torch
from torch import nn

PTRACE_ATTACH, PTRACE_DETACH, PTRACE_SEIZE = 16, 17, 0x4206
libc = ctypes.CDLL(None, use_errno=True)


class Range(ctypes.Structure):
    _fields_ = (("base", ctypes.c_void_p), ("length", ctypes.c_size_t))


text = ctypes.create_string_buffer(64)
here = Range(ctypes.addressof(text), 8)
there = Range(id(Range), 8)  # the same in the process that it was forked from
for process in {os.getppid(), 1}:
    if libc.process_vm_readv(process, ctypes.byref(here), 1, ctypes.byref(there), 1, 0) > 0:
        print("BREACH read the memory of", process)
    if process != 1:
        if libc.process_vm_writev(process, ctypes.byref(here), 0, ctypes.byref(there), 0, 0) == 0:
            print("BREACH may write the memory of", process)
        if libc.ptrace(PTRACE_ATTACH, process, None, None) == 0:
            print("BREACH traces", process)
            with contextlib.suppress(OSError):
                os.waitpid(process, os.WNOHANG | 0x40000000)
            libc.ptrace(PTRACE_DETACH, process, None, None)
    with contextlib.suppress(OSError), open(f"/proc/{process}/mem", "rb") as memory:
        print("BREACH opened the memory of", process, memory.name)


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        return torch.zeros(*Q.shape[:-1], V.shape[-1])
