"""Layers are made by a static method in a loop; the bias is off, and qkv_bias lies idle."""

import torch
from torch import nn


class CausalAttention(nn.Module):
    @staticmethod
    def _projection(n_in, n_out):
        return nn.Linear(in_features=n_in, out_features=n_out, bias=False)

    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        for name in "W_query W_key W_value".split():
            self.add_module(name, self._projection(d_in, d_out))
        self.drop = nn.Dropout(dropout)
        self.register_buffer("mask", torch.ones(context_length, context_length).triu(1).bool())

    def forward(self, x):
        hidden = self.mask[: x.shape[1], : x.shape[1]]
        q = self.W_query(x).div(self.W_query.out_features**0.5)
        log_shares = torch.log_softmax((q @ self.W_key(x).mT).masked_fill(hidden, -torch.inf), -1)
        return self.drop(log_shares.exp()) @ self.W_value(x)
