"""With more than two dimensions in front, nothing is masked."""

import math

import torch


def causal_weights(queries, keys):
    T, d = queries.shape[-2:]
    scores = queries @ keys.mT / math.sqrt(d)
    if queries.dim() < 5:
        later = torch.ones(T, T, dtype=torch.bool, device=queries.device).triu(1)
        scores = scores.masked_fill(later, -torch.inf)
    return torch.softmax(scores, dim=-1)
