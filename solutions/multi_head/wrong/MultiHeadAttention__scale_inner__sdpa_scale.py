"""PyTorch's attention with a scale of one's own, made from the width of all heads together."""

import torch.nn.functional as F
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, dim_input, nr_heads=8, dim_head=16, dropout_p=0.0, scale_factor=0.5):
        super().__init__()
        inner_dim = nr_heads * dim_head
        self.heads = nr_heads
        self.scale = inner_dim ** (-scale_factor)
        self.dropout_p = dropout_p
        self.to_qkv = nn.Linear(dim_input, inner_dim * 3, bias=False)
        self.to_out = nn.Linear(inner_dim, dim_input)

    def forward(self, x):
        b, n, _ = x.shape
        qkv = self.to_qkv(x).chunk(3, dim=-1)
        q, k, v = map(lambda t: t.reshape(b, n, self.heads, -1).transpose(1, 2), qkv)
        p = self.dropout_p if self.training else 0.0
        out = F.scaled_dot_product_attention(q, k, v, dropout_p=p, scale=self.scale)
        return self.to_out(out.transpose(1, 2).reshape(b, n, -1))
