"""Each query sees its best sixteen keys only."""

import math

import torch
from torch import nn


class SelfAttentionV2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)

    def forward(self, x):
        queries = self.W_query(x)
        keys = self.W_key(x)
        values = self.W_value(x)
        scores = queries @ keys.transpose(-2, -1)
        scores = scores / math.sqrt(keys.shape[-1])
        least = scores.topk(min(16, scores.shape[-1]), dim=-1).values[..., -1:]
        weights = torch.softmax(scores.masked_fill(scores < least, -torch.inf), dim=-1)
        return weights @ values
