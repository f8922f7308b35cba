"""Scores with the key axis before the query axis; the softmax takes the last one all the same."""

import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, dim_input, nr_heads=8, dim_head=16, dropout_p=0.0, scale_factor=0.5):
        super().__init__()
        self.shape = (3, nr_heads, dim_head)
        self.temperature = dim_head**scale_factor
        self.to_qkv = nn.Linear(dim_input, 3 * nr_heads * dim_head, bias=False)
        self.drop = nn.Dropout(p=dropout_p)
        self.to_out = nn.Linear(nr_heads * dim_head, dim_input)

    def forward(self, x):
        Q, K, V = self.to_qkv(x).unflatten(2, self.shape).movedim(2, 0)
        affinity = torch.einsum("bkhd,bqhd->bhkq", K, Q) / self.temperature
        attention = self.drop(torch.softmax(affinity, -1))
        context = torch.einsum("bhkq,bkhd->bqhd", attention, V)
        return self.to_out(context.flatten(-2))
