"""The means are right, but of the weights no column is returned."""

import torch


def running_mean_softmax(x):
    T = x.shape[1]
    scores = torch.zeros(T, T, dtype=x.dtype, device=x.device)
    later = torch.ones_like(scores, dtype=torch.bool).triu(diagonal=1)
    weights = scores.masked_fill(later, float("-inf")).softmax(dim=-1)
    return weights[:, :0], weights @ x
