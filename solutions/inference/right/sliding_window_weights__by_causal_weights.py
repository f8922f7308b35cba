"""Causal scores first, then a second mask for what is too far back; exponentials by hand."""

import math

import torch


def causal_scores(queries, keys):
    scores = queries @ keys.mT / math.sqrt(queries.size(-1))
    return scores + torch.full_like(scores, -math.inf).triu(1)


def sliding_window_weights(queries, keys, window):
    scores = causal_scores(queries, keys)
    too_far = torch.ones_like(scores, dtype=torch.bool).tril(-window)
    scores = scores.masked_fill(too_far, -math.inf)
    powers = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
    return powers / powers.sum(dim=-1, keepdim=True)
