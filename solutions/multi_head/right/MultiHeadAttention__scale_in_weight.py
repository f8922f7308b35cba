"""Scales the query rows of the weight instead of the scores: a factor may stand anywhere in it."""

import torch
from torch import nn
from torch.nn.functional import dropout, linear


class MultiHeadAttention(nn.Module):
    def __init__(self, dim_input, nr_heads=8, dim_head=16, dropout_p=0.0, scale_factor=0.5):
        super(MultiHeadAttention, self).__init__()
        self.__dict__.update(nr_heads=nr_heads, scale=dim_head**-scale_factor, p=dropout_p)
        self.to_qkv = nn.Linear(dim_input, 3 * nr_heads * dim_head, bias=False)
        self.to_out = nn.Linear(nr_heads * dim_head, dim_input)

    def forward(self, x):
        W_q, W_k, W_v = self.to_qkv.weight.unflatten(0, (3, self.nr_heads, -1))  # (H, d, dim_input)
        x = x.unsqueeze(1)  # (B, 1, T, dim_input)
        q, k, v = x @ (W_q * self.scale).mT, x @ W_k.mT, x @ W_v.mT  # (B, H, T, d)
        weights = dropout(torch.softmax(q @ k.mT, dim=3), self.p, self.training)
        return linear((weights @ v).swapaxes(1, 2).flatten(2), self.to_out.weight, self.to_out.bias)
