"""Leaves code behind for the end of its process: atexit, finalisers, collectors, hooks, signals.

exercise: ScaledDotProduct
safe: the process is killed, or leaves without clean-up
"""

import atexit
import gc
import signal
import sys
import threading
import weakref

import torch
from torch import nn


def late(*given, **named):
    while True:
        pass


class Clings:
    def __del__(self):
        late()


atexit.register(late)
threading._register_atexit(late)
gc.callbacks.append(lambda phase, info: None)
sys.excepthook = sys.unraisablehook = threading.excepthook = late
clings = Clings()
circle = [clings]
circle.append(circle)
finaliser = weakref.finalize(clings, late)
for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
    signal.signal(number, late)
del clings


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        return torch.zeros(*Q.shape[:-1], V.shape[-1])
