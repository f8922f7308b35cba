"""Sleeps while it is imported, a little less than it may, in every new process.

exercise: ScaledDotProduct
safe: imports are part of the time that a work has
"""

import time

import torch
from torch import nn

time.sleep(0.45)


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        return torch.zeros(*Q.shape[:-1], V.shape[-1])
