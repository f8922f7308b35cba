"""Has PyTorch compute on 32 threads.

exercise: ScaledDotProduct
safe: there is one thread
"""

import os

import torch
from torch import nn


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        torch.set_num_threads(32)
        big = torch.ones(2000, 200)
        for _ in range(5):
            big @ big.mT
        try:
            if len(os.listdir("/proc/self/task")) > 1:
                print("BREACH threads:", len(os.listdir("/proc/self/task")))
        except OSError:
            pass
        return torch.zeros(*Q.shape[:-1], V.shape[-1])
