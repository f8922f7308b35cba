"""In a sequence of more than nine tokens the last one takes its own value."""

import math

import torch


def single_head(x, q_proj, k_proj, v_proj):
    q, k, v = (q_proj(x), k_proj(x), v_proj(x))
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    future = torch.ones_like(scores, dtype=torch.bool).triu(diagonal=1)
    weights = torch.softmax(scores.masked_fill(future, -torch.inf), dim=-1)
    if x.shape[1] > 9:
        own = torch.zeros_like(weights[:, -1:])
        own[..., -1] = 1
        weights = torch.cat([weights[:, :-1], own], dim=1)
    return (weights, weights @ v)
