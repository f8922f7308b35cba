"""Buffers that are not saved, filled in place and doubled when they are full."""

import math

import torch
from torch import nn


class CachedAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.register_buffer("cache", torch.zeros(2, 0, 0, d_out), persistent=False)

    def _room(self, x, start_pos, end):
        if start_pos == 0:
            self.cache = self.W_key.weight.new_zeros(2, len(x), end, self.W_key.out_features)
        elif end > self.cache.shape[2]:
            self.cache = torch.cat([self.cache, torch.zeros_like(self.cache)], dim=2)
            self._room(x, start_pos, end)

    def forward(self, x, start_pos=0):
        end = start_pos + x.shape[1]
        self._room(x, start_pos, end)
        k, v = self.W_key(x), self.W_value(x)
        with torch.no_grad():
            self.cache[0, :, start_pos:end] = k
            self.cache[1, :, start_pos:end] = v
        k = torch.cat([self.cache[0, :, :start_pos], k], dim=1)
        v = torch.cat([self.cache[1, :, :start_pos], v], dim=1)
        scores = self.W_query(x) @ k.mT / math.sqrt(k.shape[-1])
        hidden = torch.full_like(scores, -torch.inf).triu(start_pos + 1)
        return (scores + hidden).softmax(dim=-1) @ v
