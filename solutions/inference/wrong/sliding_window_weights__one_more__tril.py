"""tril(-window) is the first diagonal that is hidden, but hides one too few here."""

import math

import torch


def sliding_window_weights(queries, keys, window):
    T, d = queries.shape[-2:]
    scores = queries @ keys.mT / math.sqrt(d)
    i = torch.arange(T, device=queries.device)
    seen = (i[:, None] >= i) & (scores.new_ones(T, T).tril(-window - 1) == 0)
    return scores.masked_fill(~seen, -math.inf).softmax(dim=-1)
