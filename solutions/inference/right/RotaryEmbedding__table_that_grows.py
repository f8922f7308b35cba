"""A table of cosines and sines in float64, kept from call to call and made longer if need be."""

import math

import torch
from torch import nn


class RotaryEmbedding(nn.Module):
    def __init__(self, dim, base=10000.0):
        super().__init__()
        self.log_speeds = -math.log(base) * torch.arange(0, dim, 2, dtype=torch.float64) / dim
        self.table = torch.empty(0)

    def _rows(self, start, end, like):
        if len(self.table) < end or self.table.device != like.device:
            m = torch.arange(2 * end, dtype=torch.float64, device=like.device)
            angles = m[:, None] * self.log_speeds.to(like.device).exp()
            self.table = torch.stack([angles.cos(), angles.sin()], dim=-1)
        return self.table[start:end].to(like.dtype)

    def forward(self, x, start_pos=0):
        cos, sin = self._rows(start_pos, start_pos + x.size(-2), x).unbind(-1)
        out = torch.empty_like(x)
        out[..., 0::2] = x[..., 0::2] * cos - x[..., 1::2] * sin
        out[..., 1::2] = x[..., 1::2] * cos + x[..., 0::2] * sin
        return out
