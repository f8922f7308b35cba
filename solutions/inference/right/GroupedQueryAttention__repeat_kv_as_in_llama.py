"""repeat_kv by expand and reshape, views and transposes, as in the code of Llama."""

import math

import torch
import torch.nn.functional as F
from torch import nn


def repeat_kv(x: torch.Tensor, n_rep: int) -> torch.Tensor:
    bs, slen, n_kv_heads, head_dim = x.shape
    if n_rep == 1:
        return x
    return (
        x[:, :, :, None, :]
        .expand(bs, slen, n_kv_heads, n_rep, head_dim)
        .reshape(bs, slen, n_kv_heads * n_rep, head_dim)
    )


class GroupedQueryAttention(nn.Module):
    def __init__(self, dim_h: int, nr_heads: int, nr_kv_heads: int):
        super().__init__()
        self.n_heads, self.n_kv_heads = nr_heads, nr_kv_heads
        self.n_rep = self.n_heads // self.n_kv_heads
        self.head_dim = dim_h // nr_heads
        self.W_query = nn.Linear(dim_h, nr_heads * self.head_dim, bias=False)
        self.W_key = nn.Linear(dim_h, nr_kv_heads * self.head_dim, bias=False)
        self.W_value = nn.Linear(dim_h, nr_kv_heads * self.head_dim, bias=False)
        self.to_out = nn.Linear(nr_heads * self.head_dim, dim_h)

    def forward(self, x: torch.Tensor):
        bsz, seqlen, _ = x.shape
        xq, xk, xv = self.W_query(x), self.W_key(x), self.W_value(x)
        xq = xq.view(bsz, seqlen, self.n_heads, self.head_dim).transpose(1, 2)
        xk = xk.view(bsz, seqlen, self.n_kv_heads, self.head_dim)
        xv = xv.view(bsz, seqlen, self.n_kv_heads, self.head_dim)
        keys = repeat_kv(xk, self.n_rep).transpose(1, 2)
        values = repeat_kv(xv, self.n_rep).transpose(1, 2)
        mask = torch.full((seqlen, seqlen), float("-inf"), device=x.device)
        mask = torch.triu(mask, diagonal=1).type_as(x)
        scores = torch.matmul(xq, keys.transpose(2, 3)) / math.sqrt(self.head_dim)
        scores = F.softmax(scores + mask, dim=-1)
        output = torch.matmul(scores, values)
        return self.to_out(output.transpose(1, 2).contiguous().view(bsz, seqlen, -1))
