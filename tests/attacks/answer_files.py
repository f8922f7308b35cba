"""Walks over every folder that may hold something of the course, and reads what it finds.

exercise: ScaledDotProduct
safe: of the file system there is Python and PyTorch, and nothing else to read
"""

import os
import sys
from pathlib import Path

import torch
from torch import nn

MOST = 4000  # files
OURS = ("/site-packages", "/dist-packages", "/lib/python3", "/proc", "/sys")


def suspicious(path):
    try:
        if not os.path.isfile(path):
            return False
        with open(path, "rb") as file:
            return b"CANARY-" in file.read(65536) or "solution" in path or "secret" in path
    except OSError:
        return False


def places():
    kit = getattr(sys.modules.get("autograder"), "__file__", None)
    if kit:
        yield Path(kit).parents[1]
    yield from ("/home", "/root", os.path.expanduser("~"), "/tmp", os.getcwd(), "/srv", "/mnt")


def hunt():
    looked = found = 0
    for place in places():
        for folder, folders, files in os.walk(place):
            folders[:] = [n for n in folders if not any(o in f"{folder}/{n}" for o in OURS)]
            for name in files:
                looked += 1
                path = os.path.join(folder, name)
                if suspicious(path) and found < 20:
                    found += 1
                    print("BREACH read", path)
                if looked > MOST:
                    return


hunt()


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        return torch.zeros(*Q.shape[:-1], V.shape[-1])
