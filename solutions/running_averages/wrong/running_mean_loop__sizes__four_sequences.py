"""Averages the first four sequences of a batch only."""

import torch


def running_mean_loop(x):
    B, T, _ = x.shape
    means = torch.zeros_like(x)
    for b in range(min(B, 4)):
        for t in range(T):
            means[b, t] = x[b, : t + 1].mean(dim=0)
    return means
