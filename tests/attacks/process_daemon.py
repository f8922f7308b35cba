"""Leaves a daemon behind that would outlive the grading: forked twice, in a session of its own.

exercise: ScaledDotProduct
safe: there is no second process; and if there were, it would end with the room
"""

import os
import time

import torch
from torch import nn


def daemon():
    os.setsid()
    if os.fork() == 0:
        os.closerange(0, 64)
        time.sleep(4)
    os._exit(0)


try:
    if os.fork() == 0:
        daemon()
    print("BREACH left a daemon")
except OSError:
    pass


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        return torch.zeros(*Q.shape[:-1], V.shape[-1])
