"""No average is larger than 100."""

import torch


def running_mean_loop(x):
    B, T, _ = x.shape
    means = torch.zeros_like(x)
    for b in range(B):
        for t in range(T):
            means[b, t] = x[b, : t + 1].mean(dim=0)
    return means.clamp(-100, 100)
