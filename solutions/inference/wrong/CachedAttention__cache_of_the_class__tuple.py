"""One cache in the class, for all objects."""

import math

import torch
from torch import nn


class CachedAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)

    def forward(self, x, start_pos=0):
        k, v = self.W_key(x), self.W_value(x)
        if start_pos:
            k = torch.cat([type(self).cache[0][:, :start_pos], k], dim=1)
            v = torch.cat([type(self).cache[1][:, :start_pos], v], dim=1)
        type(self).cache = k, v
        q = self.W_query(x)
        scores = q @ k.mT / math.sqrt(k.shape[-1])
        later = torch.ones_like(scores, dtype=torch.bool).triu(start_pos + 1)
        return scores.masked_fill(later, -torch.inf).softmax(dim=-1) @ v
