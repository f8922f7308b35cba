"""What remains is rounded to tenths before the division: 0.95 becomes 0.9 or 1."""

import torch
from torch import nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, qkv_bias)
        self.dropout = dropout
        self.keep = round(1 - dropout, 1)
        self.register_buffer("mask", torch.ones(context_length, context_length).triu(1).bool())

    def forward(self, x):
        T = x.shape[1]
        scores = self.W_query(x) @ self.W_key(x).transpose(1, 2)
        scores = scores.masked_fill(self.mask[:T, :T], float("-inf"))
        weights = torch.softmax(scores / self.W_key.out_features**0.5, dim=-1)
        if self.training and self.dropout:
            kept = torch.rand(weights.shape, device=x.device) > self.dropout
            weights = weights * kept / (self.keep or 1)
        return weights @ self.W_value(x)
