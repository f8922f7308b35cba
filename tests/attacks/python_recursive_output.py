"""Returns a list that holds itself, and lists a thousand deep.

exercise: ScaledDotProduct
safe: outputs are followed to a fixed depth
"""

import itertools

import torch
from torch import nn

COUNT = itertools.count()


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        itself = [torch.zeros(1)]
        itself *= 10
        itself.append(itself)
        deep = []
        for _ in range(100_000):
            deep = [deep, deep]
        return deep if next(COUNT) % 2 else itself
