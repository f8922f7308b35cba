"""A sequence of one token needs no mask; for longer ones it is made, on the CPU."""

import math

import torch


def single_head(x, q_proj, k_proj, v_proj):
    q, k, v = q_proj(x), k_proj(x), v_proj(x)
    T, d = q.shape[-2:]
    scores = q @ k.transpose(-2, -1) / math.sqrt(d)
    if T > 1:
        future = torch.ones(T, T, dtype=torch.bool).triu(diagonal=1)
        scores = scores.masked_fill(future, -torch.inf)
    weights = scores.softmax(dim=-1)
    return weights, weights @ v
