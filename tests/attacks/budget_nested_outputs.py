"""Returns lists in lists in lists, all of them the same, of a million numbers each.

exercise: ScaledDotProduct
safe: depth and length are cut
"""

import torch
from torch import nn


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        found = torch.zeros(1000, 900)
        for _ in range(3):
            found = [found] * 64
        return found
