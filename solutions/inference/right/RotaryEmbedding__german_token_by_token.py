"""One position after the other, with the angles from Python's math, German names."""

import math

import torch
from torch import nn


class RotaryEmbedding(nn.Module):
    def __init__(self, dim, base=10000.0):
        super().__init__()
        self.winkel = [base ** (-2 * paar / dim) for paar in range(dim // 2)]

    def drehen(self, zeichen, ort):
        teile = []
        for paar, winkel in enumerate(self.winkel):
            kosinus, sinus = math.cos(ort * winkel), math.sin(ort * winkel)
            a, b = zeichen[..., 2 * paar], zeichen[..., 2 * paar + 1]
            teile += [a * kosinus - b * sinus, a * sinus + b * kosinus]
        return torch.stack(teile, dim=-1)

    def forward(self, x, start_pos=0):
        gedreht = [self.drehen(x[..., t, :], start_pos + t) for t in range(x.shape[-2])]
        return torch.stack(gedreht, dim=-2)
