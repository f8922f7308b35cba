"""Makes averages for the first 64 tokens only; the others stay 0."""

import torch


def running_mean_loop(x):
    B, T, _ = x.shape
    means = torch.zeros_like(x)
    for b in range(B):
        for t in range(min(T, 64)):
            means[b, t] = x[b, : t + 1].mean(dim=0)
    return means
