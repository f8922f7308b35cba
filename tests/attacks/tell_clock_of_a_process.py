"""Reads how long every other process has computed: as long as the numbers of a hidden check say.

exercise: ScaledDotProduct
safe: no process can read the clock of another
"""

import contextlib
import os
import time

import torch
from torch import nn

CPU_CLOCK = 2


def others():
    own = os.getpid()
    for process in {os.getppid(), *range(own - 20, own + 20)} - {own}:
        if process > 0:
            with contextlib.suppress(OSError):
                yield process, time.clock_gettime(~process << 3 | CPU_CLOCK)


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        for process, seconds in others():
            print("BREACH", process, "has computed for", seconds)
        return torch.zeros(*Q.shape[:-1], V.shape[-1])
