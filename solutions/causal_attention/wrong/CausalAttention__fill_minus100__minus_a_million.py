"""The future is filled with minus a million; scores can be lower than that."""

import math

import torch
from torch import Tensor, nn


class CausalAttention(nn.Module):
    mask: Tensor

    def __init__(
        self,
        d_in: int,
        d_out: int,
        context_length: int,
        dropout: float,
        qkv_bias: bool = False,
    ) -> None:
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        may_look = torch.ones(context_length, context_length, dtype=torch.bool).tril()
        self.register_buffer("mask", may_look)

    def forward(self, x: Tensor) -> Tensor:
        T = x.shape[1]
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
        scores = queries @ keys.transpose(-2, -1) / math.sqrt(keys.shape[-1])
        masked = scores.masked_fill(~self.mask[:T, :T], -1e6)  # (B, T, T)
        weights = self.dropout(torch.softmax(masked, dim=-1))
        return weights @ values
