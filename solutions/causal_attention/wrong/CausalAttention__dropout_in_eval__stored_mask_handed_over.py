"""PyTorch's own attention gets the stored mask as attn_mask, and its dropout_p in eval() too."""

import torch
from torch import nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = dropout
        allowed = torch.ones(context_length, context_length, dtype=torch.bool).tril(diagonal=0)
        self.register_buffer("mask", allowed)

    def forward(self, x):
        num_tokens = x.shape[1]
        return nn.functional.scaled_dot_product_attention(
            query=self.W_query(x),
            key=self.W_key(x),
            value=self.W_value(x),
            attn_mask=self.mask[:num_tokens, :num_tokens],
            dropout_p=self.dropout,
        )
