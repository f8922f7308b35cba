"""Keys that are all zeros are taken for padding and hidden with the future, all but key 0."""

import math

import torch


def causal_weights(queries, keys):
    scores = queries @ keys.transpose(-2, -1) / math.sqrt(queries.shape[-1])
    T = scores.shape[-1]
    future = torch.ones(T, T, dtype=torch.bool, device=scores.device).triu(1)
    padding = ~keys.any(dim=-1)
    padding[..., 0] = False
    hidden = future | padding.unsqueeze(-2)
    return scores.masked_fill(hidden, float("-inf")).softmax(dim=-1)
