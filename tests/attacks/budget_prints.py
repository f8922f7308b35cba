"""Prints a line at a time and sleeps, so that something always comes.

exercise: ScaledDotProduct
safe: printing does not stop the clock
"""

import time

import torch
from torch import nn


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        for _ in range(9):
            print("working", flush=True)
            time.sleep(0.05)
        return torch.zeros(*Q.shape[:-1], V.shape[-1])
