"""A head is as wide as the tokens divided by the heads, where that can be and they are wide."""

from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, dim_input, nr_heads=8, dim_head=16, dropout_p=0.0, scale_factor=0.5):
        super().__init__()
        self.nr_heads = nr_heads
        self.scale = dim_head**-scale_factor
        if dim_input > 16 and dim_input % nr_heads == 0:
            dim_head = dim_input // nr_heads
        self.to_qkv = nn.Linear(dim_input, 3 * nr_heads * dim_head, bias=False)
        self.to_out = nn.Linear(nr_heads * dim_head, dim_input)
        self.dropout = nn.Dropout(dropout_p)

    def forward(self, x):
        packed = self.to_qkv(x).unflatten(-1, (3, self.nr_heads, -1))
        q, k, v = packed.permute(2, 0, 3, 1, 4)
        scores = q @ k.transpose(-2, -1) * self.scale
        weights = self.dropout(scores.softmax(dim=-1))
        return self.to_out((weights @ v).transpose(1, 2).flatten(2))
