"""Changes what is mounted where, or what is its root: mount, pivot_root, chroot, open_tree.

exercise: ScaledDotProduct
safe: none of it is allowed
"""

import contextlib
import ctypes
import errno
import os

import torch
from torch import nn

DETACHED = 2
OPEN_TREE, FSOPEN, AT_FDCWD = 428, 430, -100
libc = ctypes.CDLL(None, use_errno=True)
folder = b"/tmp/breach-%d-mount" % os.getppid()
with contextlib.suppress(OSError):
    os.mkdir(folder)
target = folder if os.path.isdir(folder) else b"/"
own = target == folder or libc.unshare(0x20000) == 0
if own and libc.mount(b"none", target, b"tmpfs", 0, b"size=1m") == 0:
    print("BREACH mounted")
    libc.umount2(target, DETACHED)
with contextlib.suppress(OSError):
    os.rmdir(folder)
if libc.syscall(155, b"/none", b"/none") == 0 or ctypes.get_errno() == errno.ENOENT:
    print("BREACH may call pivot_root")
for number, arguments in ((OPEN_TREE, (AT_FDCWD, b"/", 0)), (FSOPEN, (b"tmpfs", 0))):
    descriptor = libc.syscall(number, *arguments)
    if descriptor >= 0:
        print("BREACH a tree of files, by call", number)
        os.close(descriptor)
with contextlib.suppress(OSError):
    os.chroot("/")
    print("BREACH chroot")


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        return torch.zeros(*Q.shape[:-1], V.shape[-1])
