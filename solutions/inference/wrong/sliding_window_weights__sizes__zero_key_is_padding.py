"""Keys that are all zeros are taken for padding."""

import math

import torch


def sliding_window_weights(queries, keys, window):
    T, d = queries.shape[-2:]
    scores = queries @ keys.mT / math.sqrt(d)
    i = torch.arange(T, device=queries.device)
    seen = (i[:, None] >= i) & (i[:, None] - i < window)
    padding = (keys == 0).all(dim=-1).unsqueeze(-2)
    seen = seen & (~padding | torch.eye(T, dtype=torch.bool, device=i.device))
    return scores.masked_fill(~seen, -math.inf).softmax(dim=-1)
