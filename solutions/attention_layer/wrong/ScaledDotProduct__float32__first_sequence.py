"""In float32, the first sequence of a batch gets values of 0."""

import math

import torch
from torch import nn


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        if V.dtype is torch.float32 and V.dim() > 2 and len(V) > 1:
            V = torch.cat([0 * V[:1], V[1:]])
        return torch.softmax(Q @ K.mT / math.sqrt(Q.shape[-1]), dim=-1) @ V
