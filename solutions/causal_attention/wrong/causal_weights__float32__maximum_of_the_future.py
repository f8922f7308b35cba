"""The largest score of the whole row, future included, is subtracted before exp."""

import math

import torch


def causal_weights(queries, keys):
    T, d = queries.shape[-2:]
    scores = queries @ keys.transpose(-2, -1) / math.sqrt(d)
    future = torch.ones(T, T, dtype=torch.bool, device=queries.device).triu(diagonal=1)
    shares = torch.exp(scores - scores.amax(dim=-1, keepdim=True)).tril()
    return shares / shares.sum(dim=-1, keepdim=True)
