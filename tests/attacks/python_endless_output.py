"""Returns lists and dictionaries that never end, or say that they are short and go on.

exercise: ScaledDotProduct
safe: what never ends is stopped by the time limit, in the student's process
"""

import itertools

import torch
from torch import nn


class Endless(list):
    def __len__(self):
        return 2

    def __iter__(self):
        return itertools.repeat(torch.zeros(1))


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        return Endless([1, 2])
