"""Reads what /proc tells of all processes: environment, arguments, descriptors, folders.

exercise: ScaledDotProduct
safe: there is no /proc
"""

import contextlib
import os
import re

import torch
from torch import nn

CANARY = re.compile(rb"CANARY-[0-9a-f]{32}")
processes = []
with contextlib.suppress(OSError):
    processes = [name for name in os.listdir("/proc") if name.isdigit()]
if set(processes) - {str(os.getpid())}:
    print("BREACH sees processes:", len(processes))
for process in processes[-200:]:
    for name in ("environ", "cmdline"):
        with contextlib.suppress(OSError), open(f"/proc/{process}/{name}", "rb") as file:
            if found := CANARY.search(file.read(1 << 16)):
                print("BREACH", name, "of", process, found[0].decode())
    with contextlib.suppress(OSError):
        for descriptor in os.listdir(f"/proc/{process}/fd"):
            path = f"/proc/{process}/fd/{descriptor}"
            if os.path.isfile(path):
                with open(path, "rb") as file:
                    if found := CANARY.search(file.read(4096)):
                        print("BREACH descriptor of", process, found[0].decode())


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        return torch.zeros(*Q.shape[:-1], V.shape[-1])
