"""Writes a file wherever one could be: temporary folders, home, the course, Python's own folders.

exercise: ScaledDotProduct
safe: nothing can be written
"""

import contextlib
import os
import sys
import tempfile

import torch
from torch import nn


def engine():
    frame = sys._getframe()
    while frame and "autograder" not in frame.f_code.co_filename:
        frame = frame.f_back
    return frame.f_code.co_filename if frame else "/none/autograder/child/none"


PLACES = ["/tmp", "/var/tmp", "/dev/shm", "/run", "/", ".", os.path.expanduser("~"), "/root"]
PLACES += [os.path.dirname(os.path.dirname(engine())), os.path.dirname(torch.__file__), *sys.path]
for place in dict.fromkeys(PLACES):
    path = os.path.join(place or ".", f"breach-{os.getppid()}-file")
    with contextlib.suppress(OSError):
        with open(path, "w") as file:
            file.write("x")
        print("BREACH wrote", path)
        os.remove(path)
with contextlib.suppress(OSError):
    os.rmdir(tempfile.mkdtemp(prefix=f"breach-{os.getppid()}-"))
    print("BREACH a temporary folder")


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        return torch.zeros(*Q.shape[:-1], V.shape[-1])
