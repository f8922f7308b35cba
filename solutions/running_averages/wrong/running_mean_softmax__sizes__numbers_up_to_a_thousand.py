"""Numbers larger than 1000 are taken for mistakes of measurement."""

import torch


def running_mean_softmax(x):
    T = x.shape[1]
    later = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(diagonal=1)
    scores = torch.zeros(T, T, dtype=x.dtype, device=x.device).masked_fill(later, -torch.inf)
    weights = torch.softmax(scores, dim=-1)
    return weights, weights @ x.clamp(-1000, 1000)
