"""Small methods that hand on to each other; the one for the mask cuts the stored mask itself."""

from math import inf, sqrt

import torch
from torch import nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(p=dropout)
        steps = torch.arange(context_length)
        self.register_buffer("mask", steps[None] > steps[:, None])

    def fit_mask(self, length):
        if length < len(self.mask):
            self.mask = self.mask[:length, :length]
        return self.mask

    def scores(self, x):
        queries, keys = self.W_query(x), self.W_key(x)
        return torch.einsum("bqd, bkd -> bqk", queries, keys).div(sqrt(keys.shape[-1]))

    def weights(self, x):
        return self.scores(x).masked_fill(self.fit_mask(x.shape[1]), -inf).softmax(dim=-1)

    def forward(self, x):
        return self.dropout(self.weights(x)) @ self.W_value(x)
