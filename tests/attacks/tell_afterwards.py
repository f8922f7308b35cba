"""Goes on after a hidden question has been answered: by timers, finalisers, buffers left full.

exercise: ScaledDotProduct
safe: it stands still, and what it prints belongs to the hidden check
"""

import atexit
import gc
import signal
import sys
import weakref

import torch
from torch import nn

LEFT = []


class Later:
    pass


def say(*given):
    sys.stdout.write("BREACHED? a hidden check asked " + repr(LEFT[-1:]))


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        if Q.shape[-1] in (5, 3) or Q.shape[-1] > 100:
            LEFT.append(round(float(Q.double().sum()), 6))
            sys.stdout.write(f"{LEFT}")  # without an end of line
            sys.stderr.write(f"{LEFT}")
            signal.signal(signal.SIGVTALRM, say)
            signal.signal(signal.SIGALRM, say)
            signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01)
            signal.setitimer(signal.ITIMER_VIRTUAL, 0.01, 0.01)
            atexit.register(say)
            weakref.finalize(Later(), say)
            gc.callbacks.append(say)
        return torch.zeros(*Q.shape[:-1], V.shape[-1])
