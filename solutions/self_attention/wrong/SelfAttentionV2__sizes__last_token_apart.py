"""The last of more than eight tokens gets the plain average."""

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
        weights = torch.softmax(scores / math.sqrt(keys.shape[-1]), dim=-1)
        out = weights @ values
        if x.shape[-2] > 8:
            out[..., -1, :] = values.mean(dim=-2)
        return out
