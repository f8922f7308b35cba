"""Views with B, T and C; the batch is laid out as one long list of tokens before it attends."""

import torch.nn as nn
import torch.nn.functional as F


class SelfAttentionV2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super(SelfAttentionV2, self).__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.d_out = d_out

    def forward(self, x):
        *B, T, C = x.size()
        tokens = x.reshape(-1, C)
        q, k, v = self.W_query(tokens), self.W_key(tokens), self.W_value(tokens)
        att = F.softmax(q.mm(k.t()) * self.d_out**-0.5, dim=-1)
        return att.mm(v).view(*B, T, self.d_out)
