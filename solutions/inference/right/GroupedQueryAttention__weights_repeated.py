"""Repeats the rows of the weights, not the keys, then computes plain attention with many heads."""

import torch
import torch.nn.functional as F
from torch import nn


def causal_weights(queries, keys):
    scores = queries @ keys.mT / queries.shape[-1] ** 0.5
    return scores.masked_fill(scores.new_ones(scores.shape).triu(1) > 0, -torch.inf).softmax(-1)


class GroupedQueryAttention(nn.Module):
    def __init__(self, dim_h, nr_heads, nr_kv_heads):
        super().__init__()
        self.H, self.G = nr_heads, nr_kv_heads
        d = dim_h // nr_heads
        self.W_query = nn.Linear(dim_h, nr_heads * d, bias=False)
        self.W_key = nn.Linear(dim_h, nr_kv_heads * d, bias=False)
        self.W_value = nn.Linear(dim_h, nr_kv_heads * d, bias=False)
        self.to_out = nn.Linear(nr_heads * d, dim_h)

    def _for_each_head(self, layer):
        heads = layer.weight.unflatten(0, (self.G, -1))
        return heads[torch.arange(self.H) // (self.H // self.G)].flatten(0, 1)

    def forward(self, x):
        q, k, v = (
            F.linear(x, weight).unflatten(-1, (self.H, -1)).movedim(-2, -3)
            for weight in (
                self.W_query.weight,
                self._for_each_head(self.W_key),
                self._for_each_head(self.W_value),
            )
        )
        return self.to_out((causal_weights(q, k) @ v).movedim(-3, -2).flatten(-2))
