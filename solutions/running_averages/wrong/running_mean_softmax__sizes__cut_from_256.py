"""Cuts the mask out of one for 256 tokens."""

import torch


def running_mean_softmax(x):
    T = x.shape[1]
    scores = torch.zeros(T, T, dtype=x.dtype, device=x.device)
    later = torch.ones(256, 256, dtype=torch.bool, device=x.device).triu(diagonal=1)[:T, :T]
    masked = scores.masked_fill(later, float("-inf"))
    weights = torch.softmax(masked, dim=-1)
    means = weights @ x
    return (weights, means)
