"""Scores and softmax are made in float32 whatever the input is, as large models do it."""

import torch
from torch import nn


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        root = torch.sqrt(torch.tensor(Q.size(-1), dtype=torch.float32))
        scores = Q @ K.transpose(-1, -2) / root
        weights = nn.functional.softmax(scores, dim=-1, dtype=torch.float32)
        return weights.to(V.dtype) @ V
