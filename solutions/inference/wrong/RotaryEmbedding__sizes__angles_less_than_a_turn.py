"""Cuts angles at 100 whole turns."""

import torch
from torch import nn


class RotaryEmbedding(nn.Module):
    def __init__(self, dim, base=10000.0):
        super().__init__()
        self.dim, self.base = dim, base

    def forward(self, x, start_pos=0):
        T = x.shape[-2]
        m = torch.arange(start_pos, start_pos + T, dtype=x.dtype, device=x.device)
        i = torch.arange(0, self.dim, 2, dtype=x.dtype, device=x.device)
        angles = m[:, None] / self.base ** (i / self.dim)
        angles = angles.clamp(max=628.0)
        cos, sin = angles.cos(), angles.sin()
        even, odd = x[..., 0::2], x[..., 1::2]
        return torch.stack([even * cos - odd * sin, even * sin + odd * cos], dim=-1).flatten(-2)
