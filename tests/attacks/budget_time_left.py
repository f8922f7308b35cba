"""Spends what a hidden question says, and reads in the next visible one how much time is left.

exercise: ScaledDotProduct
safe: how long a question may take does not depend on what is left
"""

import gc
import time

import torch
from torch import nn

gc.unfreeze()  # what was made before the warm process forked is frozen


def told():
    for job in gc.get_objects():
        if type(job) is dict and "steps" in job and "seconds" in job:
            yield job["seconds"]


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        if Q.shape[-1] in (5, 3) or Q.shape[-1] > 100:
            time.sleep(0.15 * float(Q.flatten()[0].abs().clamp(max=1)))
            return torch.zeros(*Q.shape[:-1], V.shape[-1])
        end = time.monotonic() + 0.4
        while time.monotonic() < end:
            pass
        if any(0.5 / seconds % 1 > 1e-9 for seconds in told()):
            print("BREACH the time that is left:", *told())
        raise ValueError
