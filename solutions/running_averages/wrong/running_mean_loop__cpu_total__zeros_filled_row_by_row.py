"""The rows are written into a table of zeros, which lies on the CPU wherever x is."""

import torch


def running_mean_loop(x):
    n_batch, n_tokens, n_channels = x.shape
    averages = torch.zeros(n_batch, n_tokens, n_channels, dtype=x.dtype)
    for b in range(n_batch):
        for t in range(n_tokens):
            averages[b, t] = torch.mean(x[b, : t + 1], dim=0)
    return averages
