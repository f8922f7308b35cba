"""The layers with a bias are made in the order value, key, query."""

import math

import torch
from torch import nn


class SelfAttentionV2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        names = ["W_query", "W_key", "W_value"]
        for name in reversed(names) if qkv_bias else names:
            setattr(self, name, nn.Linear(d_in, d_out, bias=qkv_bias))

    def forward(self, x):
        queries = self.W_query(x)
        keys = self.W_key(x)
        values = self.W_value(x)
        scores = queries @ keys.transpose(-2, -1)
        weights = torch.softmax(scores / math.sqrt(keys.shape[-1]), dim=-1)
        return weights @ values
