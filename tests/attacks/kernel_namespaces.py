"""Makes namespaces of its own, in which it would be root, and enters those of others.

exercise: ScaledDotProduct
safe: no namespace can be made or entered
"""

import contextlib
import ctypes
import os

import torch
from torch import nn

KINDS = {"user": 0x10000000, "mounts": 0x20000, "network": 0x40000000, "processes": 0x20000000}
KINDS |= {"names": 0x4000000, "ipc": 0x8000000, "groups": 0x2000000, "files": 0x400}
libc = ctypes.CDLL(None, use_errno=True)
for name in ("mnt", "net", "user"):
    with contextlib.suppress(OSError):
        descriptor = os.open(f"/proc/{os.getppid()}/ns/{name}", os.O_RDONLY)
        if libc.setns(descriptor, 0) == 0:
            print("BREACH entered", name)
        os.close(descriptor)
for name, flag in KINDS.items():
    if libc.unshare(flag) == 0:
        print("BREACH a namespace of", name)


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        return torch.zeros(*Q.shape[:-1], V.shape[-1])
