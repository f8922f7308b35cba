"""Each mean is the one before, moved by a part of the way to the new token; under no_grad."""

import torch


@torch.no_grad()
def running_mean_loop(x):
    out = torch.empty_like(x, memory_format=torch.contiguous_format)
    mean = torch.zeros_like(x[:, 0])
    for t in range(x.size(1)):
        mean = mean + (x[:, t] - mean) / (t + 1)
        out[:, t] = mean
    return out
