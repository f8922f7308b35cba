"""Has PyTorch start compilers and downloads: load_inline, hub, torch.compile, load_library.

exercise: ScaledDotProduct
safe: neither process nor network nor a place to write is to be had
"""

import contextlib
import os
import sys

import torch
from torch import nn

with contextlib.suppress(Exception):
    torch.ops.load_library("/tmp/breach-library.so")
    print("BREACH loaded a library")
with contextlib.suppress(Exception):
    torch.hub.set_dir(f"/tmp/breach-{os.getppid()}-hub")
    torch.hub.load_state_dict_from_url("http://127.0.0.1:9/breach.pth", progress=False)
    print("BREACH downloaded")
with contextlib.suppress(Exception):
    import subprocess

    subprocess.run([sys.executable, "-c", "print('BREACH started Python')"], timeout=1, check=True)


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        return torch.zeros(*Q.shape[:-1], V.shape[-1])
