"""A tutorial's idiom: reshape to (B, T, H, 3 d) and chunk, so each head's q, k, v are one run."""

import math

import torch
import torch.nn.functional as F
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, dim_input, nr_heads=8, dim_head=16, dropout_p=0.0, scale_factor=0.5):
        super().__init__()
        self.embed_dim = nr_heads * dim_head
        self.num_heads = nr_heads
        self.head_dim = dim_head
        self.scale_factor = scale_factor
        self.to_qkv = nn.Linear(dim_input, 3 * self.embed_dim, bias=False)
        self.to_out = nn.Linear(self.embed_dim, dim_input)
        self.attn_drop = nn.Dropout(dropout_p)

    def forward(self, x):
        batch_size, seq_length, _ = x.size()
        qkv = self.to_qkv(x)
        qkv = qkv.reshape(batch_size, seq_length, self.num_heads, 3 * self.head_dim)
        qkv = qkv.permute(0, 2, 1, 3)
        q, k, v = qkv.chunk(3, dim=-1)
        d_k = q.size()[-1]
        attn_logits = torch.matmul(q, k.transpose(-2, -1))
        attn_logits = attn_logits / math.pow(d_k, self.scale_factor)
        attention = self.attn_drop(F.softmax(attn_logits, dim=-1))
        values = torch.matmul(attention, v)
        values = values.permute(0, 2, 1, 3)
        values = values.reshape(batch_size, seq_length, self.embed_dim)
        return self.to_out(values)
