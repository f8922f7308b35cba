"""An added mask of 0 and -inf, handed to baddbmm; it is an nn.Parameter, not a buffer."""

import torch
from torch import nn


def lookahead(n):
    return torch.full((n, n), float("-inf")).triu(1)


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        make = lambda: nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_query, self.W_key, self.W_value = make(), make(), make()
        self.drop = nn.Dropout(dropout)
        self.mask = nn.Parameter(lookahead(context_length))
        self.norm = d_out**-0.5

    def forward(self, x):
        n = x.size(1)
        logits = torch.baddbmm(
            self.mask[:n, :n].expand(x.size(0), n, n),
            self.W_query(x),
            self.W_key(x).transpose(1, 2),
            alpha=self.norm,
        )
        return torch.bmm(self.drop(logits.softmax(2)), self.W_value(x))
