"""Leaves its folder on other ways: chdir, handles of files, descriptors of folders, dots.

exercise: ScaledDotProduct
safe: there is nothing outside the room that a path could mean
"""

import contextlib
import ctypes
import os

import torch
from torch import nn

NAME_TO_HANDLE_AT, OPEN_BY_HANDLE_AT, OPENAT2, AT_FDCWD = 303, 304, 437, -100
libc = ctypes.CDLL(None, use_errno=True)


class Handle(ctypes.Structure):
    _fields_ = (("size", ctypes.c_uint), ("kind", ctypes.c_int), ("data", ctypes.c_ubyte * 128))


for path in ("/../../../etc/passwd", "../" * 40 + "etc/passwd", "/proc/self/root/etc/passwd"):
    with contextlib.suppress(OSError), open(path) as file:
        print("BREACH read", path, file.read(10))
with contextlib.suppress(OSError):
    folder = os.open("/", os.O_RDONLY | os.O_DIRECTORY)
    os.close(os.open("etc/passwd", os.O_RDONLY, dir_fd=folder))
    print("BREACH opened etc/passwd in a folder")
handle, mount = Handle(size=128), ctypes.c_int()
found = libc.syscall(
    NAME_TO_HANDLE_AT, AT_FDCWD, b"/", ctypes.byref(handle), ctypes.byref(mount), 0
)
if found == 0:
    print("BREACH a handle of /")
    with contextlib.suppress(OSError):
        folder = os.open("/", os.O_RDONLY)
        if libc.syscall(OPEN_BY_HANDLE_AT, folder, ctypes.byref(handle), 0) >= 0:
            print("BREACH opened / by its handle")
how = (ctypes.c_uint64 * 3)(0, 0, 0)
if libc.syscall(OPENAT2, AT_FDCWD, b"/etc/passwd", ctypes.byref(how), 24) >= 0:
    print("BREACH openat2")


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        return torch.zeros(*Q.shape[:-1], V.shape[-1])
