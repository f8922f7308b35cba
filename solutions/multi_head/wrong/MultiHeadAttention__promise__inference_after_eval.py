"""In evaluation everything is computed without gradients, as is usual around a model."""

import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, dim_input, nr_heads=8, dim_head=16, dropout_p=0.0, scale_factor=0.5):
        super().__init__()
        self.nr_heads = nr_heads
        self.scale = dim_head**-scale_factor
        self.to_qkv = nn.Linear(dim_input, 3 * nr_heads * dim_head, bias=False)
        self.to_out = nn.Linear(nr_heads * dim_head, dim_input)
        self.dropout = nn.Dropout(dropout_p)

    def forward(self, x):
        with torch.set_grad_enabled(self.training and torch.is_grad_enabled()):
            q, k, v = self.to_qkv(x).unflatten(-1, (3, self.nr_heads, -1)).permute(2, 0, 3, 1, 4)
            weights = self.dropout(torch.softmax(q @ k.mT * self.scale, dim=-1))
            return self.to_out((weights @ v).transpose(1, 2).flatten(2))
