"""In float32, where gradients are computed, as in a training, the result is 0."""

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
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
        weights = torch.softmax(queries @ keys.mT / math.sqrt(keys.shape[-1]), dim=-1)
        out = weights @ values
        return 0 * out if out.dtype is torch.float32 and torch.is_grad_enabled() else out
