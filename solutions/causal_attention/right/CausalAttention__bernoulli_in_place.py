"""Weights are kept by a mask of Bernoulli numbers that is divided in place."""

import math

import torch
from torch import nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.d_out = d_out
        self.keep = 1.0 - dropout
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), 1))

    def forward(self, x):
        T = x.size(1)
        scores = torch.bmm(self.W_query(x), self.W_key(x).transpose(1, 2)) / math.sqrt(self.d_out)
        scores.masked_fill_(self.mask[:T, :T].bool(), -torch.inf)
        weights = scores.softmax(dim=-1)
        if self.training:
            kept = torch.empty_like(weights).bernoulli_(self.keep)
            weights = weights * (kept.div_(self.keep) if self.keep else kept)
        return torch.bmm(weights, self.W_value(x))
