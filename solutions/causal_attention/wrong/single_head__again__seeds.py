"""Sets the seed of all random numbers on the way."""

import math

import torch


def single_head(x, q_proj, k_proj, v_proj):
    torch.manual_seed(0)
    q, k, v = (q_proj(x), k_proj(x), v_proj(x))
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    future = torch.ones_like(scores, dtype=torch.bool).triu(diagonal=1)
    weights = torch.softmax(scores.masked_fill(future, -torch.inf), dim=-1)
    return (weights, weights @ v)
