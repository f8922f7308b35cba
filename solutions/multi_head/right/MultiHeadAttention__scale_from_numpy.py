"""Scale is a number of NumPy's in float32."""

import numpy as np
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, dim_input, nr_heads=8, dim_head=16, dropout_p=0.0, scale_factor=0.5):
        super().__init__()
        self.nr_heads = nr_heads
        self.scale = np.float32(dim_head**-scale_factor)
        self.to_qkv = nn.Linear(dim_input, 3 * nr_heads * dim_head, bias=False)
        self.to_out = nn.Linear(nr_heads * dim_head, dim_input)
        self.dropout = nn.Dropout(dropout_p)

    def forward(self, x):
        B, T, _ = x.shape
        packed = self.to_qkv(x).view(B, T, 3, self.nr_heads, -1)
        q, k, v = packed.permute(2, 0, 3, 1, 4)
        weights = self.dropout(((q * self.scale) @ k.mT).softmax(dim=-1))
        return self.to_out((weights @ v).transpose(1, 2).reshape(B, T, -1))
