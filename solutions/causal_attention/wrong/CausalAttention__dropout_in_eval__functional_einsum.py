"""Functions in place of layers where possible; F.dropout is not told whether this is training."""

import torch
import torch.nn.functional as F
from torch import nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        nn.Module.__init__(self)
        self.W_query = nn.Linear(d_in, d_out, qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, qkv_bias)
        self.dropout_rate = dropout
        self.register_buffer("mask", torch.ones(context_length, context_length).tril_())

    def forward(self, inputs):
        steps = inputs.shape[1]
        sim = torch.einsum("bid,bjd->bij", self.W_query(inputs), self.W_key(inputs))
        sim = sim / self.W_key.out_features**0.5
        sim = sim.where(self.mask[:steps, :steps] > 0, -1e30)
        attn = F.dropout(F.softmax(sim, dim=-1), p=self.dropout_rate)
        return torch.einsum("bij,bjd->bid", attn, self.W_value(inputs))
