"""Sleeps in its constructor and in its forward, each a little less than it may.

exercise: ScaledDotProduct
safe: the budget is for all questions together
"""

import time

import torch
from torch import nn


class ScaledDotProduct(nn.Module):
    def __init__(self):
        super().__init__()
        time.sleep(0.2)

    def forward(self, Q, K, V):
        time.sleep(0.2)
        print("so that nothing is asked ahead")
        return torch.zeros(*Q.shape[:-1], V.shape[-1])
