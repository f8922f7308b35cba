"""Leaves a file for a later submission, with the numbers that it was asked.

exercise: ScaledDotProduct
safe: nothing can be written, so that no submission hears from another
"""

import contextlib
import os

import torch
from torch import nn

PLACES = ("/tmp", "/var/tmp", "/dev/shm", os.path.expanduser("~"))


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        for place in PLACES:
            path = os.path.join(place, f"breach-{os.getppid()}-numbers")
            with contextlib.suppress(OSError):
                if os.path.exists(path):
                    print("BREACH heard from an earlier one")
                with open(path, "a") as file:
                    file.write(repr(Q.tolist()))
        return torch.zeros(*Q.shape[:-1], V.shape[-1])
