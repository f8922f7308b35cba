"""Works in chunks of 64 queries, and forgets the rest that fills no chunk."""

import math

import torch
from torch import nn


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        size = min(64, Q.shape[-2])
        found = []
        for first in range(0, Q.shape[-2] - size + 1, size):
            part = Q[..., first : first + size, :]
            scores = part @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
            found.append(scores.softmax(dim=-1) @ V)
        return torch.cat(found, dim=-2)
