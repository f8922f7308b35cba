"""1 / (t + 1) is written into the table: no softmax anywhere."""

import torch


def running_mean_softmax(x):
    T = x.shape[1]
    scores = torch.zeros(T, T, dtype=x.dtype, device=x.device)
    later = torch.ones_like(scores, dtype=torch.bool).triu(diagonal=1)
    masked = scores.masked_fill(later, float("-inf"))
    weights = (
        torch.arange(1, T + 1, dtype=x.dtype, device=x.device)
        .reciprocal()[:, None]
        .expand(T, T)
        .tril()
    )
    means = weights @ x
    return (weights, means)
