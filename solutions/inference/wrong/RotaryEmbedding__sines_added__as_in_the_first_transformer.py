"""The positional encoding of the first transformer: sines and cosines are added."""

import torch
from torch import nn


class RotaryEmbedding(nn.Module):
    def __init__(self, dim, base=10000.0):
        super().__init__()
        self.dim, self.base = dim, base

    def forward(self, x, start_pos=0):
        position = torch.arange(x.shape[-2], device=x.device, dtype=x.dtype) + start_pos
        even = torch.arange(0, self.dim, 2, device=x.device, dtype=x.dtype)
        angle = position[:, None] / self.base ** (even / self.dim)
        encoding = torch.zeros(x.shape[-2:], dtype=x.dtype, device=x.device)
        encoding[:, 0::2] = torch.sin(angle)
        encoding[:, 1::2] = torch.cos(angle)
        return x + encoding
