"""Sets the seed of all random numbers on the way."""

import math

import torch


def causal_weights(queries, keys):
    torch.manual_seed(0)
    T, d = queries.shape[-2:]
    scores = queries @ keys.transpose(-2, -1) / math.sqrt(d)
    future = torch.ones(T, T, dtype=torch.bool, device=queries.device).triu(diagonal=1)
    return torch.softmax(scores.masked_fill(future, -torch.inf), dim=-1)
