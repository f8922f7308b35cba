"""A batch is taken apart, each sentence attends alone by .T and dim=1, which are right for it."""

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
        if x.ndim > 2:
            return torch.stack([self(sentence) for sentence in x])
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return torch.softmax(q @ k.T / math.sqrt(k.shape[1]), dim=1) @ v
