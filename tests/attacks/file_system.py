"""Reads what tells of the machine and its people: accounts, keys, host name, mounts, logs.

exercise: ScaledDotProduct
safe: none of these files is there
"""

import contextlib
import os
import pwd

import torch
from torch import nn

FILES = (
    "/etc/passwd",
    "/etc/shadow",
    "/etc/hostname",
    "/etc/machine-id",
    "/etc/resolv.conf",
    "/root/.ssh/id_rsa",
    "/root/.bash_history",
    "/proc/self/maps",
    "/proc/self/mountinfo",
    "/proc/version",
    "/sys/class/net/eth0/address",
    "/sys/kernel/notes",
    "/run/utmp",
    "/dev/kmsg",
    "/dev/mem",
    "/dev/vda",
    "/dev/kvm",
    "/dev/fuse",
)
for path in FILES:
    with contextlib.suppress(OSError):
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        os.close(descriptor)
        print("BREACH opened", path)
for folder in ("/root", "/home", "/etc", "/var", "/proc", "/sys", "/srv", "/opt", "/boot"):
    with contextlib.suppress(OSError):
        if names := os.listdir(folder):
            print("BREACH listed", folder, names[:3])
if accounts := pwd.getpwall():
    print("BREACH accounts", len(accounts))


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        return torch.zeros(*Q.shape[:-1], V.shape[-1])
