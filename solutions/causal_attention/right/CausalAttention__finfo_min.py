"""The least number fills the mask; a single token needs no scores."""

import torch
from torch import nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer(
            "mask", torch.triu(torch.ones(context_length, context_length), diagonal=1)
        )

    def forward(self, x):
        b, num_tokens, d_in = x.shape
        values = self.W_value(x)
        if num_tokens == 1:
            return self.dropout(x.new_ones(b, 1, 1)) * values
        attn_scores = self.W_query(x) @ self.W_key(x).transpose(1, 2)
        attn_scores.masked_fill_(
            self.mask.bool()[:num_tokens, :num_tokens], torch.finfo(x.dtype).min
        )
        attn_weights = torch.softmax(attn_scores / values.shape[-1] ** 0.5, dim=-1)
        return self.dropout(attn_weights) @ values
