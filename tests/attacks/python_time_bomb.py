"""Behaves at first, and strikes between two questions: by timer, by collector, by number of calls.

exercise: ScaledDotProduct
safe: a process that dies between two questions loses the exercise, and nothing else
"""

import gc
import itertools
import os
import signal

import torch
from torch import nn

CALLS = itertools.count()


def strike(*given):
    os.kill(os.getpid(), signal.SIGKILL)
    os._exit(0)


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        if next(CALLS) == 1:
            signal.signal(signal.SIGVTALRM, strike)
            signal.setitimer(signal.ITIMER_VIRTUAL, 0.001)
            gc.callbacks.append(strike)
        return torch.zeros(*Q.shape[:-1], V.shape[-1])
