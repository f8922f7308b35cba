"""Wakes a process that waits at a file which both have mapped: so two submissions could talk.

exercise: ScaledDotProduct
safe: a process waits and wakes within itself only
"""

import ctypes
import platform

import torch
from torch import nn

FUTEX = {"x86_64": 202, "aarch64": 98}.get(platform.machine(), 0)
WAKE, WAIT, PRIVATE = 1, 0, 128


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        libc, place = ctypes.CDLL(None), ctypes.c_uint32(0)
        for call, value in ((WAKE, 1), (WAIT, 1)):  # it would not wait, as the value is another
            if libc.syscall(FUTEX, ctypes.byref(place), call, value, 0, 0, 0) != -1:
                print("BREACH it can call", call)
        if libc.syscall(FUTEX, ctypes.byref(place), WAKE | PRIVATE, 1, 0, 0, 0) != 0:
            raise OSError("it cannot wake itself, which libraries do")
        return torch.zeros(*Q.shape[:-1], V.shape[-1])
