"""Keeps the sum of the values and gives their mean: all tokens of the past count the same."""

import torch
from torch import nn


class CachedAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)

    def forward(self, x, start_pos=0):
        values = self.W_value(x)
        if start_pos:
            values = torch.cat([self.seen[:, :start_pos], values], dim=1)
        self.seen = values
        count = torch.arange(1, values.shape[1] + 1, device=x.device, dtype=x.dtype)
        return (values.cumsum(dim=1) / count[:, None])[:, start_pos:]
