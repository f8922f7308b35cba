"""Each pair as length and phase: the phase grows by the angle."""

import torch
from einops import rearrange
from torch import nn


class RotaryEmbedding(nn.Module):
    def __init__(self, dim, base=10000.0):
        super().__init__()
        self.pairs, self.base = dim // 2, base

    def forward(self, x, start_pos=0):
        pairs = rearrange(x, "... t (p two) -> ... t p two", two=2)
        m = torch.arange(x.shape[-2], device=x.device, dtype=x.dtype).add(start_pos)
        p = torch.arange(self.pairs, device=x.device, dtype=x.dtype)
        angle = rearrange(m, "t -> t 1") / self.base ** (p / self.pairs)
        crossed = torch.stack([-pairs[..., 1], pairs[..., 0]], dim=-1)
        turned = pairs * angle.cos()[..., None] + crossed * angle.sin()[..., None]
        return rearrange(turned, "... t p two -> ... t (p two)")
