"""The scores are multiplied by a parameter that starts as 1."""

import math

import torch
from torch import nn


class ScaledDotProduct(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.tensor(1.0))

    def forward(self, Q, K, V):
        scores = self.scale * Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
        return torch.softmax(scores, dim=-1) @ V
