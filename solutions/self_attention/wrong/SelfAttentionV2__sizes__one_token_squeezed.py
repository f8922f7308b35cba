"""A single sentence is squeezed, and so loses the dimension of its tokens where there is one."""

import math

from torch import nn


class SelfAttentionV2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)

    def forward(self, x):
        if x.dim() == 2:
            return self(x.unsqueeze(0)).squeeze()
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return (q @ k.mT / math.sqrt(q.shape[-1])).softmax(dim=-1) @ v
