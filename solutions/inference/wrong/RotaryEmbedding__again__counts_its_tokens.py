"""Counts the tokens of earlier calls itself, as if no new text ever began."""

import torch
from torch import nn


class RotaryEmbedding(nn.Module):
    def __init__(self, dim, base=10000.0):
        super().__init__()
        self.dim, self.base = dim, base
        self.seen = 0

    def forward(self, x, start_pos=0):
        T = x.shape[-2]
        m = torch.arange(self.seen, self.seen + T, dtype=x.dtype, device=x.device)
        self.seen += T
        i = torch.arange(0, self.dim, 2, dtype=x.dtype, device=x.device)
        angles = m[:, None] / self.base ** (i / self.dim)
        cos, sin = angles.cos(), angles.sin()
        even, odd = x[..., 0::2], x[..., 1::2]
        return torch.stack([even * cos - odd * sin, even * sin + odd * cos], dim=-1).flatten(-2)
