"""Dropout by hand multiplies by NumPy's numbers, which are float64 whatever the weights are."""

import numpy as np
import torch
from torch import nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.p = dropout
        self.register_buffer("mask", ~torch.ones(context_length, context_length).bool().tril())

    def forward(self, x):
        T = x.shape[-2]
        q = self.W_query(x)
        weights = q @ self.W_key(x).mT / q.shape[-1] ** 0.5
        weights = weights.masked_fill(self.mask[:T, :T], float("-inf")).softmax(-1)
        if self.training and self.p > 0:
            kept = np.random.binomial(1, 1 - self.p, tuple(weights.shape)) / max(1 - self.p, 1e-9)
            weights = weights * torch.from_numpy(kept).to(weights.device)
        return weights @ self.W_value(x)
