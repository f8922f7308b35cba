"""The way of minGPT, with att and y; its only dropout is the one on the result."""

import math

import torch
import torch.nn as nn
from torch.nn import functional as F


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.resid_drop = nn.Dropout(dropout)
        tril = torch.tril(torch.ones(context_length, context_length))
        self.register_buffer("mask", tril.view(1, context_length, context_length))

    def forward(self, x):
        B, T, C = x.size()
        k, q, v = self.W_key(x), self.W_query(x), self.W_value(x)
        att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
        att = att.masked_fill(self.mask[:, :T, :T] == 0, float("-inf"))
        att = F.softmax(att, dim=-1)
        y = att @ v
        return self.resid_drop(y)
