"""Keeps the tokens themselves, and makes keys and values of all of them anew: slower, but right."""

import math

import torch
from torch import nn


class CachedAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query, self.W_key, self.W_value = (
            nn.Linear(d_in, d_out, bias=False) for _ in range(3)
        )

    def forward(self, x, start_pos=0):
        q = self.W_query(x)
        if start_pos:
            x = torch.cat((self.tokens[:, :start_pos], x), 1)
        self.tokens = x.clone()
        k, v = self.W_key(x), self.W_value(x)
        scores = torch.baddbmm(x.new_zeros(()), q, k.mT, alpha=1 / math.sqrt(k.size(2)))
        rows = torch.arange(start_pos, x.size(1), device=x.device)[:, None]
        hidden = rows < torch.arange(x.size(1), device=x.device)
        return torch.bmm(scores.masked_fill(hidden, torch.finfo(x.dtype).min).softmax(2), v)
