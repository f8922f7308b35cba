"""One head's code, mapped over heads and batch; randomness="different" drops anew for each."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.func import vmap


class MultiHeadAttention(nn.Module):
    def __init__(self, dim_input, nr_heads=8, dim_head=16, dropout_p=0.0, scale_factor=0.5):
        super().__init__()
        self.nr_heads, self.dim_head = nr_heads, dim_head
        self.dropout_p, self.scale_factor = dropout_p, scale_factor
        self.to_qkv = nn.Linear(dim_input, 3 * nr_heads * dim_head, bias=False)
        self.to_out = nn.Linear(nr_heads * dim_head, dim_input)

    def one_head(self, q, k, v):  # (T, d) each
        weights = torch.softmax(q @ k.T * self.dim_head**-self.scale_factor, dim=1)
        return F.dropout(weights, self.dropout_p, training=self.training) @ v

    def forward(self, x):
        q, k, v = self.to_qkv(x).unflatten(-1, (3, self.nr_heads, self.dim_head)).unbind(2)
        heads = vmap(self.one_head, in_dims=1, out_dims=1, randomness="different")
        return self.to_out(vmap(heads, randomness="different")(q, k, v).flatten(-2))
