"""A mask to add, float64 as NumPy makes it: a call with float32 fails."""

import numpy as np
import torch
from torch import nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        future = np.triu(np.full((context_length, context_length), -np.inf), k=1)
        self.register_buffer("mask", torch.from_numpy(future))

    def forward(self, x):
        T = x.shape[1]
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
        scores = queries @ keys.mT / keys.shape[-1] ** 0.5 + self.mask[:T, :T]
        return self.dropout(scores.softmax(dim=-1)) @ values
