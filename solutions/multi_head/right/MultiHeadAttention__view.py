"""Views of what the layers return, which is contiguous; x itself is not viewed."""

import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, dim_input, nr_heads=8, dim_head=16, dropout_p=0.0, scale_factor=0.5):
        super().__init__()
        self.h, self.d, self.scale = nr_heads, dim_head, dim_head**-scale_factor
        self.to_qkv = nn.Linear(dim_input, 3 * nr_heads * dim_head, bias=False)
        self.to_out = nn.Linear(nr_heads * dim_head, dim_input)
        self.dropout = nn.Dropout(dropout_p)

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = self.to_qkv(x).view(B, T, 3, self.h, self.d).permute(2, 0, 3, 1, 4)
        w = self.dropout(torch.softmax(q @ k.transpose(-2, -1) * self.scale, -1))
        y = (w @ v).transpose(1, 2).contiguous().view(B, T, self.h * self.d)
        return self.to_out(y)
