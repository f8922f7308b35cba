"""A rotation matrix (dim, dim) for each position, with 2 by 2 blocks on the diagonal."""

import torch
from torch import nn


class RotaryEmbedding(nn.Module):
    def __init__(self, dim, base=10000.0):
        super().__init__()
        self.dim, self.base = dim, base

    def forward(self, x, start_pos=0):
        T = x.shape[-2]
        matrices = x.new_zeros(T, self.dim, self.dim)
        m = torch.arange(start_pos, start_pos + T, device=x.device).to(x.dtype)
        for i in range(0, self.dim, 2):
            angle = m * self.base ** (-i / self.dim)
            matrices[:, i, i] = matrices[:, i + 1, i + 1] = torch.cos(angle)
            matrices[:, i, i + 1] = -torch.sin(angle)
            matrices[:, i + 1, i] = torch.sin(angle)
        return torch.einsum("tij,...tj->...ti", matrices, x)
