"""Softmax first, then the mask, then each row is divided by what is left: nothing, in float32."""

import math

import torch


def causal_weights(queries, keys):
    T, d = queries.shape[-2:]
    scores = queries @ keys.transpose(-2, -1) / math.sqrt(d)
    future = torch.ones(T, T, dtype=torch.bool, device=queries.device).triu(diagonal=1)
    weights = torch.softmax(scores, dim=-1).masked_fill(future, 0)
    return weights / weights.sum(dim=-1, keepdim=True)
