"""Lists parameters without end, each of them new.

exercise: QueryKeyValue
safe: what never ends is stopped by the time limit
"""

import itertools

import torch
from torch import nn


class QueryKeyValue(nn.Module):
    def __init__(self, features_in, features_out):
        super().__init__()

    def named_parameters(self, *given, **named):
        return ((f"p{i}", nn.Parameter(torch.zeros(1))) for i in itertools.count())

    def named_buffers(self, *given, **named):
        return self.named_parameters()

    def forward(self, x):
        return x, x, x
