"""Keeps the average itself, and moves it towards each block."""

import torch


def online_softmax(queries, keys, values, block):
    queries = queries / queries.shape[-1] ** 0.5
    best = queries.new_full((*queries.shape[:-1], 1), float("-inf"))
    total = torch.zeros_like(best)
    average = queries.new_zeros(queries.shape[:-1] + values.shape[-1:])
    for first in range(0, keys.shape[-2], block):
        scores = queries @ keys.narrow(-2, first, min(block, keys.shape[-2] - first)).mT
        new = torch.max(best, scores.max(dim=-1, keepdim=True).values)
        old = total * torch.exp(best - new)
        powers = torch.exp(scores - new)
        total = old + powers.sum(dim=-1, keepdim=True)
        part = powers @ values[..., first : first + scores.shape[-1], :]
        average = average * (old / total) + part / total
        best = new
    return average, torch.log(total[..., 0]) + best[..., 0]
