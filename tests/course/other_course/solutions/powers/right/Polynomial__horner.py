"""Horner's scheme."""

import torch
from torch import nn


class Polynomial(nn.Module):
    def __init__(self, degree):
        super().__init__()
        self.coefficients = nn.Parameter(torch.ones(degree + 1))

    def forward(self, x):
        value = torch.zeros_like(x)
        for c in self.coefficients.flip(0):
            value = value * x + c
        return value
