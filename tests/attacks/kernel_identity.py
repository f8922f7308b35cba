"""Becomes somebody else, or more: ids, capabilities, personality, the name of the host.

exercise: ScaledDotProduct
safe: it is nobody, and stays it
"""

import contextlib
import ctypes
import os
import socket

import torch
from torch import nn

PR_CAP_AMBIENT, CAPGET = 47, 125
ADDR_NO_RANDOMIZE = 0x0040000
libc = ctypes.CDLL(None, use_errno=True)
header, data = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)()
if libc.syscall(CAPGET, header, data) == 0 and any(data):
    print("BREACH capabilities", [hex(word) for word in data])
for name, act in {
    "setuid": lambda: os.setresuid(1234, 1234, -1) or os.setresuid(0, 0, -1),
    "setgroups": lambda: os.setgroups([]),
    "host name": lambda: socket.sethostname(socket.gethostname()),
}.items():
    with contextlib.suppress(OSError):
        act()
        print("BREACH", name)
if libc.personality(ADDR_NO_RANDOMIZE) >= 0 and libc.personality(0xFFFFFFFF) & ADDR_NO_RANDOMIZE:
    print("BREACH personality")


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        return torch.zeros(*Q.shape[:-1], V.shape[-1])
