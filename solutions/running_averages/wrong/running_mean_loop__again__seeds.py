"""Sets the seed of all random numbers on the way."""

import torch


def running_mean_loop(x):
    B, T, _ = x.shape
    torch.manual_seed(0)
    means = torch.zeros_like(x)
    for b in range(B):
        for t in range(T):
            means[b, t] = x[b, : t + 1].mean(dim=0)
    return means
