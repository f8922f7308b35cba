"""Adds the bias of the values without a gradient for it."""

import math

import torch
import torch.nn.functional as F
from torch import nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        mask = torch.ones(context_length, context_length).triu(1).bool()
        self.register_buffer("mask", mask)

    def forward(self, x):
        T = x.shape[1]
        values = F.linear(x, self.W_value.weight)
        if self.W_value.bias is not None:
            with torch.no_grad():
                bias = self.W_value.bias.clone()
            values = values + bias
        q, k = self.W_query(x), self.W_key(x)
        scores = q @ k.transpose(1, 2) / math.sqrt(k.shape[-1])
        scores = scores.masked_fill(self.mask[:T, :T], -torch.inf)
        return self.dropout(scores.softmax(dim=-1)) @ values
