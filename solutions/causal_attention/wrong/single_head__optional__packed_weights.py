"""One product with all three weights; the biases are left out."""

import math

import torch


def single_head(x, q_proj, k_proj, v_proj):
    q, k, v = torch.einsum(
        "btc,ndc->nbtd", x, torch.stack([p.weight for p in (q_proj, k_proj, v_proj)])
    )
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    future = torch.ones_like(scores, dtype=torch.bool).triu(diagonal=1)
    weights = torch.softmax(scores.masked_fill(future, -torch.inf), dim=-1)
    return (weights, weights @ v)
