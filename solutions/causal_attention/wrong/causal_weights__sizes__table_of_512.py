"""A table of 512 rows is made once for all calls."""

import torch

MASK = torch.ones(512, 512).tril().bool()


def causal_weights(queries, keys):
    T, d = queries.shape[-2:]
    mask = MASK.to(queries.device)[:T, :T]
    scores = queries @ keys.transpose(-1, -2) / d**0.5
    return torch.softmax(scores.masked_fill(~mask, float("-inf")), dim=-1)
