"""rotate_half, as in the code of many models: pairs feature i with feature i + dim/2."""

import torch
from torch import nn


class RotaryEmbedding(nn.Module):
    def __init__(self, dim, base=10000.0):
        super().__init__()
        self.dim, self.base = dim, base

    @staticmethod
    def rotate_half(x):
        x1, x2 = x[..., : x.shape[-1] // 2], x[..., x.shape[-1] // 2 :]
        return torch.cat((-x2, x1), dim=-1)

    def forward(self, x, start_pos=0):
        inv_freq = 1.0 / self.base ** (
            torch.arange(0, self.dim, 2, device=x.device, dtype=x.dtype) / self.dim
        )
        t = torch.arange(start_pos, start_pos + x.shape[-2], device=x.device, dtype=x.dtype)
        freqs = torch.outer(t, inv_freq)
        emb = torch.cat((freqs, freqs), dim=-1)
        return x * emb.cos() + self.rotate_half(x) * emb.sin()
