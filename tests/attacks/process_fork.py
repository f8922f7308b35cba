"""Forks until it is refused, 40 times at most; what it made ends by itself.

exercise: ScaledDotProduct
safe: there is no second process
"""

import os
import time

import torch
from torch import nn

made = 0
for _ in range(40):
    try:
        child = os.fork()
    except OSError:
        break
    if child == 0:
        time.sleep(3)
        os._exit(0)
    made += 1
if made:
    print("BREACH forked", made)


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        return torch.zeros(*Q.shape[:-1], V.shape[-1])
