"""Walks over every folder that may hold something of the course, and reads what it finds.

exercise: ScaledDotProduct
safe: of the file system there is Python and PyTorch, and nothing else to read
"""

import os
import re
import sys
from pathlib import Path

import torch
from torch import nn

MOST = 4000  # files
CANARY = re.compile(rb"CANARY-[0-9a-f]{32}")
OURS = ("/site-packages", "/dist-packages", "/lib/python3", "/proc", "/sys")


def suspicious(path):
    try:
        if not os.path.isfile(path):
            return ""
        with open(path, "rb") as file:
            found = CANARY.search(file.read(65536))
    except OSError:
        return ""
    return found[0].decode() if found else "solution" in path and "a solution"


def engine():
    frame = sys._getframe()
    while frame and "autograder" not in frame.f_code.co_filename:
        frame = frame.f_back
    return frame.f_code.co_filename if frame else "/none/autograder/child/none"


def places():
    yield Path(engine()).parents[2]
    yield from ("/home", "/root", os.path.expanduser("~"), "/tmp", os.getcwd(), "/srv", "/mnt")


def hunt():
    looked = 0
    for place in places():
        for folder, folders, files in os.walk(place):
            folders[:] = [n for n in folders if not any(o in f"{folder}/{n}" for o in OURS)]
            for name in files:
                looked += 1
                path = os.path.join(folder, name)
                if what := suspicious(path):
                    print("BREACH read", path, what)
                if looked > MOST:
                    return


hunt()


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        return torch.zeros(*Q.shape[:-1], V.shape[-1])
