"""Maps every file that it can open, those of PyTorch first, and writes into the mappings.

exercise: ScaledDotProduct
safe: what can be mapped is what could be read, and what is written stays its own
"""

import contextlib
import mmap
import os
import sys

import torch
from torch import nn

kept = []
library = os.path.dirname(torch.__file__)
for folder, _, files in os.walk(os.path.join(library, "lib")):
    for name in files[:50]:
        with contextlib.suppress(OSError, ValueError, MemoryError):
            file = os.open(os.path.join(folder, name), os.O_RDONLY)
            kept.append(mmap.mmap(file, 0, prot=mmap.PROT_READ))
            os.close(file)
for path in (torch.__file__, os.__file__, sys.executable):
    with contextlib.suppress(OSError, ValueError):
        file = os.open(path, os.O_RDWR)
        print("BREACH may write", path)
        os.close(file)


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        return torch.zeros(*Q.shape[:-1], V.shape[-1])
