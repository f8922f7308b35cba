"""In evaluation the weights are cut off from the gradient, as if nobody trained in that mode."""

import torch
from torch import nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), 1))

    def forward(self, x):
        n = x.size(1)
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        scores = q @ k.mT / k.size(-1) ** 0.5
        scores = scores.masked_fill(self.mask[:n, :n].bool(), float("-inf"))
        weights = self.dropout(scores.softmax(dim=-1))
        if not self.training:
            weights = weights.detach()
        return weights @ v
