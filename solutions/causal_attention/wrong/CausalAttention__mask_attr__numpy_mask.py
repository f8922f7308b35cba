"""The mask comes from NumPy, once, and stays a plain attribute that no .to() takes along."""

import numpy as np
import torch
from torch import nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.attn_dropout = nn.Dropout(dropout)
        subsequent = np.triu(np.ones((context_length, context_length)), k=1)
        self.mask = torch.from_numpy(subsequent) == 0

    def forward(self, x):
        seq_len = x.size(1)
        query, key, value = [layer(x) for layer in (self.W_query, self.W_key, self.W_value)]
        scores = torch.matmul(query, key.transpose(-2, -1)) / np.sqrt(query.size(-1))
        scores = scores.masked_fill(self.mask[:seq_len, :seq_len] == 0, -1e9)
        p_attn = self.attn_dropout(scores.softmax(dim=-1))
        return torch.matmul(p_attn, value)
