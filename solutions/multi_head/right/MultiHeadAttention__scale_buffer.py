"""Scale is a non-persistent buffer in double precision; softmax by hand, maximum subtracted."""

import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    scale: torch.Tensor

    def __init__(self, dim_input, nr_heads=8, dim_head=16, dropout_p=0.0, scale_factor=0.5):
        super().__init__()
        self.nr_heads = nr_heads
        scale = torch.tensor(float(dim_head), dtype=torch.float64).pow(-scale_factor)
        self.register_buffer("scale", scale, persistent=False)
        self.to_qkv = nn.Linear(dim_input, 3 * nr_heads * dim_head, bias=False)
        self.to_out = nn.Linear(nr_heads * dim_head, dim_input)
        self.dropout = nn.Dropout(dropout_p, inplace=False)

    def forward(self, x):
        batch, tokens, _ = x.size()
        projected = self.to_qkv(x).tensor_split(3, dim=-1)
        shape = batch, tokens, self.nr_heads, -1
        q, k, v = [t.reshape(shape).permute(0, 2, 1, 3) for t in projected]
        scores = self.scale * (q @ k.permute(0, 1, 3, 2))
        powers = torch.exp(scores - torch.amax(scores, dim=3, keepdim=True))
        weights = self.dropout(powers / torch.sum(powers, dim=3, keepdim=True))
        return self.to_out((weights @ v).permute(0, 2, 1, 3).reshape(batch, tokens, -1))
