"""Gives the oracle a state of random numbers that it has made up.

exercise: AttentionHead
safe: whatever state it is given, it has its own again afterwards
"""

import contextlib

import torch
from torch import nn


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        return V * 0


class AttentionHead(nn.Module):
    def __init__(self, dim_h, dim_k):
        super().__init__()
        self.scaled_dot_product = ScaledDotProduct()
        self.dim_k = dim_k

    def forward(self, x):
        ask = self.scaled_dot_product
        with contextlib.suppress(Exception):
            for byte in (0, 1, 127, 255):
                state = torch.full_like(torch.default_generator.get_state(), byte)
                question = {"do": "call", "of": "ScaledDotProduct", "arguments": [], "named": {}}
                question |= {"inputs": [x, x, x], "parameters": {}, "training": True, "part": ""}
                type(ask).consult(question | {"random": state})
        return x.new_zeros(*x.shape[:-1], self.dim_k)
