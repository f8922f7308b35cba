"""Keeps the weights of the last call for a picture; makes its mask in forward."""

import torch
from torch import nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        scores = self.W_query(x) @ self.W_key(x).transpose(1, 2) / self.W_key.out_features**0.5
        hidden = torch.ones(x.shape[1], x.shape[1], device=x.device).triu(1) != 0
        weights = torch.where(hidden, -torch.inf, scores).softmax(dim=-1)
        self.last_weights = weights.detach()
        return self.dropout(weights) @ self.W_value(x)
