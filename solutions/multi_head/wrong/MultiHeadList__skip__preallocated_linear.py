"""Old-fashioned: slices filled by a while loop, F.linear at the end; and the input is added."""

import math

import torch
import torch.nn.functional as F
from torch import nn


class QueryKeyValue(nn.Module):
    def __init__(self, dim_h, dim_k):
        super(QueryKeyValue, self).__init__()
        self.W_q = nn.Parameter(torch.empty(dim_h, dim_k).fill_(1))
        self.W_k = nn.Parameter(torch.empty(dim_h, dim_k).fill_(1))
        self.value = nn.Linear(dim_h, dim_k)

    def forward(self, X):
        return torch.matmul(X, self.W_q), torch.matmul(X, self.W_k), self.value(X)


class ScaledDotProduct(nn.Module):
    def forward(self, query, key, value):
        d_k = query.size(-1)
        scores = torch.matmul(query, key.transpose(-2, -1)) / math.sqrt(d_k)
        p_attn = F.softmax(scores, dim=-1)
        return torch.matmul(p_attn, value)


class AttentionHead(nn.Module):
    def __init__(self, dim_h, dim_k):
        super(AttentionHead, self).__init__()
        self.scaled_dot_product = ScaledDotProduct()
        self.qkv_mechanism = QueryKeyValue(dim_h, dim_k)

    def forward(self, X):
        query, key, value = self.qkv_mechanism(X)
        return self.scaled_dot_product(query, key, value)


class MultiHeadList(nn.Module):
    def __init__(self, dim_h, dim_k, nr_heads):
        super(MultiHeadList, self).__init__()
        self.width = dim_k
        self.heads = nn.ModuleList([AttentionHead(dim_h, dim_k) for i in range(nr_heads)])
        self.aggregation_step = nn.Linear(nr_heads * dim_k, dim_h)

    def forward(self, x):
        z = torch.zeros(x.shape[:-1] + (self.width * len(self.heads),), device=x.device)
        z = z.to(x.dtype)
        i = 0
        while i < len(self.heads):
            z[..., i * self.width:(i + 1) * self.width] = self.heads[i](x)
            i = i + 1
        out = F.linear(z, self.aggregation_step.weight, self.aggregation_step.bias)
        residual = x
        out = out + residual
        return out
