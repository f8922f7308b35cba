"""The softmax is computed in float32, and its result cast back."""

import math

import torch
from torch import Tensor, nn


class CausalAttention(nn.Module):
    """Causal self-attention with one head, a stored mask and dropout.

    x: (B, T, d_in), T at most context_length. Returns (B, T, d_out).
    """

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
        masked = scores.masked_fill(~self.mask[:T, :T], -torch.inf)  # (B, T, T)
        weights = self.dropout(nn.functional.softmax(masked, dim=-1, dtype=torch.float32).to(x.dtype))
        return weights @ values
