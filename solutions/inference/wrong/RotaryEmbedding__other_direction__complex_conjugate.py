"""Complex numbers, multiplied by e to the power of minus i times the angle."""

import torch
from torch import nn


class RotaryEmbedding(nn.Module):
    def __init__(self, dim, base=10000.0):
        super().__init__()
        self.dim, self.base = dim, base

    def forward(self, x, start_pos=0):
        i = torch.arange(0, self.dim, 2, dtype=x.dtype, device=x.device)
        m = torch.arange(start_pos, start_pos + x.shape[-2], dtype=x.dtype, device=x.device)
        angles = torch.outer(m, self.base ** (-i / self.dim))
        turns = torch.complex(angles.cos(), -angles.sin())
        pairs = torch.view_as_complex(x.reshape(*x.shape[:-1], -1, 2).contiguous())
        return torch.view_as_real(pairs * turns).flatten(-2)
