"""Fills the disk: a file of 40 MB, and a thousand small ones; both are removed again.

exercise: ScaledDotProduct
safe: nothing can be written
"""

import contextlib
import os
import shutil
import tempfile

import torch
from torch import nn

for place in ("/tmp", "/dev/shm"):
    folder = None
    with contextlib.suppress(OSError):
        folder = tempfile.mkdtemp(prefix=f"breach-{os.getppid()}-", dir=place)
        with open(os.path.join(folder, "large"), "wb") as file:
            for _ in range(40):
                file.write(bytes(1 << 20))
        print("BREACH MB in", place, 40)
        for number in range(1000):
            with open(os.path.join(folder, str(number)), "w"):
                pass
        print("BREACH files in", place, 1000)
    if folder:
        shutil.rmtree(folder, ignore_errors=True)


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        return torch.zeros(*Q.shape[:-1], V.shape[-1])
