"""Dropout by hand draws with a generator of its own, which a GPU cannot use."""

import torch
from torch import nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.p, self.generator = dropout, torch.Generator()
        self.register_buffer("mask", ~torch.ones(context_length, context_length).bool().tril())

    def forward(self, x):
        T = x.shape[-2]
        q = self.W_query(x)
        weights = q @ self.W_key(x).mT / q.shape[-1] ** 0.5
        weights = weights.masked_fill(self.mask[:T, :T], float("-inf")).softmax(-1)
        if self.training and self.p > 0:
            drawn = torch.rand(weights.shape, generator=self.generator, device=weights.device)
            weights = weights.masked_fill(drawn < self.p, 0.0)
            weights = weights / (1 - self.p) if self.p < 1 else weights
        return weights @ self.W_value(x)
