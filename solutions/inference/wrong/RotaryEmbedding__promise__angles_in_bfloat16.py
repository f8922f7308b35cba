"""Computes positions in bfloat16, which has no odd numbers beyond 256."""

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
        angles = m.bfloat16()[:, None] / self.base ** (i.bfloat16() / self.dim)
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        even, odd = x[..., 0::2], x[..., 1::2]
        return torch.stack([even * cos - odd * sin, even * sin + odd * cos], dim=-1).flatten(-2)
