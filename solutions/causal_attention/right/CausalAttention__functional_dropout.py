"""F.dropout with the module's flag, and the weights kept for a look at them."""

import torch
import torch.nn.functional as F
from torch import nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.p = dropout
        self.W_query, self.W_key, self.W_value = (
            nn.Linear(d_in, d_out, bias=qkv_bias) for _ in range(3)
        )
        self.register_buffer(
            "mask", torch.full((context_length, context_length), -torch.inf).triu(1)
        )

    def forward(self, x):
        b, t, _ = x.shape
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        w = F.softmax(q @ k.mT / q.shape[-1] ** 0.5 + self.mask[:t, :t], dim=-1)
        return F.dropout(w, self.p, training=self.training) @ v
