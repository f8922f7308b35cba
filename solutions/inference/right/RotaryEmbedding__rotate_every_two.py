"""x cos + rotated x sin, with each cosine and sine repeated for both numbers of a pair, as in GPT-J."""

import torch
from torch import nn


def rotate_every_two(x):
    x1 = x[..., ::2]
    x2 = x[..., 1::2]
    return torch.stack((-x2, x1), dim=-1).flatten(-2)


class RotaryEmbedding(nn.Module):
    def __init__(self, dim: int, base: float = 10000.0):
        super().__init__()
        inv_freq = 1.0 / (base ** (torch.arange(0, dim, 2, dtype=torch.float64) / dim))
        self.register_buffer("inv_freq", inv_freq, persistent=False)

    def forward(self, x, start_pos=0):
        t = torch.arange(start_pos, start_pos + x.shape[-2], device=x.device)
        freqs = torch.einsum("i,j->ij", t.to(x.dtype), self.inv_freq.to(x.dtype))
        emb = freqs.repeat_interleave(2, dim=-1)
        return x * emb.cos() + rotate_every_two(x) * emb.sin()
