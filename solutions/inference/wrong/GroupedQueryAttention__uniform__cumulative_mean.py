"""Each token gets the mean of the values so far; queries and keys are made and not used."""

import torch
from torch import nn


class GroupedQueryAttention(nn.Module):
    def __init__(self, dim_h, nr_heads, nr_kv_heads):
        super().__init__()
        self.shape = nr_kv_heads, nr_heads // nr_kv_heads, dim_h // nr_heads
        width = nr_kv_heads * self.shape[2]
        self.W_query = nn.Linear(dim_h, dim_h, bias=False)
        self.W_key = nn.Linear(dim_h, width, bias=False)
        self.W_value = nn.Linear(dim_h, width, bias=False)
        self.to_out = nn.Linear(dim_h, dim_h)

    def forward(self, x):
        groups, times, d = self.shape
        count = torch.arange(1, x.shape[1] + 1, device=x.device, dtype=x.dtype)[:, None]
        means = self.W_value(x).cumsum(dim=1) / count
        means = means.unflatten(-1, (groups, 1, d)).expand(-1, -1, groups, times, d)
        return self.to_out(means.flatten(2))
