"""float32 goes in, float64 comes out."""

import math

import torch


def causal_weights(queries, keys):
    T, d = queries.shape[-2:]
    scores = queries @ keys.transpose(-2, -1) / math.sqrt(d)
    future = torch.ones(T, T, dtype=torch.bool, device=queries.device).triu(diagonal=1)
    return torch.softmax(scores.masked_fill(future, -torch.inf).double(), dim=-1)
