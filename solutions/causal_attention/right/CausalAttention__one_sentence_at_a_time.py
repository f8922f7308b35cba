"""One sentence at a time; a batch of one is not stacked."""

import torch
from torch import nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.ones(context_length, context_length).triu(1).bool())

    def attend(self, x):
        T, d = x.shape[0], self.W_key.out_features
        scores = torch.mm(self.W_query(x), self.W_key(x).t()) / d**0.5
        scores[self.mask[:T, :T]] = -1e9
        return torch.mm(self.dropout(torch.softmax(scores, 1)), self.W_value(x))

    def forward(self, x):
        if x.shape[0] == 1:
            return self.attend(x.squeeze(0)).unsqueeze(0)
        return torch.stack([self.attend(sentence) for sentence in x])
