"""Softmax first, then the mask, then each row is divided by what is left: nothing, in float32."""

import math

import torch


def single_head(x, q_proj, k_proj, v_proj):
    q, k, v = (q_proj(x), k_proj(x), v_proj(x))
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    future = torch.ones_like(scores, dtype=torch.bool).triu(diagonal=1)
    weights = torch.softmax(scores, dim=-1).masked_fill(future, 0)
    weights = weights / weights.sum(dim=-1, keepdim=True)
    return (weights, weights @ v)
