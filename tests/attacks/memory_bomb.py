"""Fills memory, 4 GiB at most.

exercise: ScaledDotProduct
safe: beyond 2 GiB more there is none, and what it had is given back
"""

import torch
from torch import nn


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        kept = []
        if Q.shape[0] > 1:  # once is enough
            return torch.zeros(1)
        for quarters in range(16):
            kept.append(torch.empty(1 << 26, dtype=torch.float32))
            if quarters == 10:
                print("BREACH has", quarters / 4, "GiB")
        for tensor in kept:
            tensor.fill_(1)
        return torch.zeros(*Q.shape[:-1], V.shape[-1])
