"""Stops the process that it was forked from, so that nobody is served any more.

exercise: ScaledDotProduct
safe: it cannot; the next submission finds a process that was warm all the time
"""

import os
import signal

import torch
from torch import nn


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        try:
            os.kill(os.getppid(), 0)
        except OSError:
            return torch.zeros(*Q.shape[:-1], V.shape[-1])
        print("BREACH may stop its parent")
        if os.getppid() > 1:
            os.kill(os.getppid(), signal.SIGSTOP)
        return torch.zeros(*Q.shape[:-1], V.shape[-1])
