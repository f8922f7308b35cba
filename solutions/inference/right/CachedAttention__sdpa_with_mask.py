"""PyTorch's own attention with a mask of positions; two lists hold the cache."""

import torch
import torch.nn.functional as F
from torch import nn


class CachedAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.cache = []

    def forward(self, x, start_pos=0):
        new = [self.W_key(x), self.W_value(x)]
        if start_pos:
            old = [part.narrow(1, 0, start_pos) for part in self.cache]
            new = [torch.cat(pair, dim=1) for pair in zip(old, new)]
        self.cache = new
        end = start_pos + x.shape[1]
        positions = torch.arange(end, device=x.device)
        may_look = positions[start_pos:, None] >= positions
        return F.scaled_dot_product_attention(self.W_query(x), *new, attn_mask=may_look)
