"""Complex numbers: each pair is one, and is multiplied by e to the power of i times the angle."""

import torch
from torch import nn


class RotaryEmbedding(nn.Module):
    def __init__(self, dim, base=10000.0):
        super().__init__()
        self.exponents = [-2 * i / dim for i in range(dim // 2)]
        self.base = base

    def forward(self, x, start_pos=0):
        speeds = torch.tensor([self.base**e for e in self.exponents], dtype=x.dtype, device=x.device)
        m = torch.arange(x.shape[-2], dtype=x.dtype, device=x.device) + start_pos
        angles = torch.outer(m, speeds)
        turns = torch.polar(torch.ones_like(angles), angles)
        pairs = torch.view_as_complex(x.contiguous().unflatten(-1, (-1, 2)))
        return torch.view_as_real(pairs * turns).flatten(-2)
