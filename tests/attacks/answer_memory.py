"""Reads all of its own memory in search of a secret of the process that it came from.

exercise: ScaledDotProduct
safe: the warm process was started afresh, so nothing of the grader's was ever here
"""

import ctypes
import gc
import re

import torch
from torch import nn

gc.unfreeze()  # what was made before the warm process forked is frozen

PAGE = 4096
CANARY = re.compile(rb"CANARY-[0-9a-f]{32}")


def mapped():
    """The ranges of memory that can be read; without /proc, the pages that hold objects."""
    try:
        with open("/proc/self/maps") as maps:
            rows = [line.split() for line in maps]
    except OSError:
        pages = sorted({id(thing) // PAGE for thing in gc.get_objects()})
        return [(page * PAGE, (page + 1) * PAGE) for page in pages]
    private = [row for row in rows if row[1].startswith("rw") and "/" not in row[-1]]
    return [tuple(int(end, 16) for end in row[0].split("-")) for row in private]


def search():
    for begin, end in mapped():
        for start in range(begin, min(end, begin + (64 << 20)), 1 << 20):
            found = CANARY.search(ctypes.string_at(start, min(end, start + (1 << 20)) - start))
            if found:
                print("BREACH in memory:", found[0].decode())


search()


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        return torch.zeros(*Q.shape[:-1], V.shape[-1])
