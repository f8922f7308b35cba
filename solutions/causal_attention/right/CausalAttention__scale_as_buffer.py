"""Scale and mask are buffers, the scale explicitly a float32 number."""

import torch
from torch import nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("scale", torch.tensor(d_out, dtype=torch.float32).rsqrt())
        self.register_buffer("mask", torch.ones(context_length, context_length).tril().bool())

    def forward(self, x):
        T = x.shape[1]
        scores = self.W_query(x) @ self.W_key(x).mT * self.scale
        scores = scores.masked_fill(~self.mask[:T, :T], float("-inf"))
        return self.dropout(scores.softmax(dim=-1)) @ self.W_value(x)
