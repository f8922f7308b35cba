"""Sleeps when its objects are thrown away, between two questions.

exercise: ScaledDotProduct
safe: what is done between questions is part of the next one
"""

import time

import torch
from torch import nn


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        return torch.zeros(*Q.shape[:-1], V.shape[-1])

    def __del__(self):
        time.sleep(0.4)
