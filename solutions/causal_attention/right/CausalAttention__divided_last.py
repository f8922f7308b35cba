"""Weights are not normalised at first: what they have mixed is divided by their sums at last."""

import torch
from torch import nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.ones(context_length, context_length).triu(1) > 0)

    def forward(self, x):
        T = x.shape[1]
        scores = self.W_query(x).matmul(self.W_key(x).mT).div(self.W_key.out_features**0.5)
        scores = scores.masked_fill(self.mask[:T, :T], -torch.inf)
        odds = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
        return self.dropout(odds) @ self.W_value(x) / odds.sum(dim=-1, keepdim=True)
