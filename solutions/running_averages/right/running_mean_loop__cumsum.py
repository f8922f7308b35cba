"""The sums of all prefixes by one cumsum, divided by how many tokens each has: no loop at all."""

import torch


def running_mean_loop(x):
    counts = torch.arange(1, x.shape[1] + 1, dtype=x.dtype, device=x.device)
    return x.cumsum(dim=1) / counts[:, None]
