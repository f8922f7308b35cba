"""Asks the oracle to build modules of monstrous sizes, and with arguments that are no numbers.

exercise: AttentionHead
safe: what it builds is bounded, whatever is asked
"""

import torch
from torch import nn


class QueryKeyValue(nn.Module):
    def __init__(self, features_in, features_out):
        super().__init__()
        self.first = nn.Linear(features_in, features_out)

    def forward(self, x):
        return x, x, x


class AttentionHead(nn.Module):
    def __init__(self, features_in, features_out):
        super().__init__()
        self.made = None
        for arguments in ([10**9, 10**9], [10**400, 1], [-1, -1], [0.5, True], [[1], {}], [1] * 99):
            try:
                self.made = QueryKeyValue(*arguments)
                if arguments[0] == 10**9:
                    print("BREACH built", arguments)
            except Exception as error:
                self.made = error

    def forward(self, x):
        return torch.zeros_like(x)
