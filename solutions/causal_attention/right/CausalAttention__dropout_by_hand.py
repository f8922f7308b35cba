"""Weights are dropped by a comparison with random numbers; the layers stand in a base class."""

import torch
from torch import nn


class Projections(nn.Module):
    def __init__(self, d_in, d_out, bias):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=bias)
        self.W_key = nn.Linear(d_in, d_out, bias=bias)
        self.W_value = nn.Linear(d_in, d_out, bias=bias)

    def projected(self, x):
        return self.W_query(x), self.W_key(x), self.W_value(x)


class CausalAttention(Projections):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__(d_in, d_out, qkv_bias)
        self.probability = dropout
        positions = torch.arange(context_length)
        self.register_buffer("mask", positions[None, :] <= positions[:, None])

    def forward(self, x):
        q, k, v = self.projected(x)
        look = self.mask.narrow(0, 0, x.shape[1]).narrow(1, 0, x.shape[1])
        scores = torch.where(look, q @ k.mT, -1e9)
        weights = (scores * k.shape[-1] ** -0.5).softmax(dim=-1)
        if self.training and self.probability > 0:
            kept = torch.rand_like(weights).ge(self.probability)
            weights = torch.where(kept, weights / (1 - self.probability), 0)
        return weights @ v
