"""The lower triangle, and then all zeros in it, are hidden: a score of 0 too."""

import math

import torch


def single_head(x, q_proj, k_proj, v_proj):
    q, k, v = (q_proj(x), k_proj(x), v_proj(x))
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    future = torch.ones_like(scores, dtype=torch.bool).triu(diagonal=1)
    weights = torch.softmax(scores.tril().masked_fill(scores.tril() == 0, -torch.inf), dim=-1)
    return (weights, weights @ v)
