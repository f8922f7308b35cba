"""One maximum for all rows is subtracted before exp."""

import math

import torch


def single_head(x, q_proj, k_proj, v_proj):
    q, k, v = (q_proj(x), k_proj(x), v_proj(x))
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    future = torch.ones_like(scores, dtype=torch.bool).triu(diagonal=1)
    shares = torch.exp(scores.masked_fill(future, -torch.inf) - scores.max())
    weights = shares / shares.sum(dim=-1, keepdim=True)
    return (weights, weights @ v)
