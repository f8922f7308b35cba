"""Adds a little random noise to each mean."""

import torch


def running_mean_loop(x):
    means = [x[:, : t + 1].mean(dim=1) for t in range(x.shape[1])]
    means = torch.stack(means, dim=1)
    return means + torch.randn_like(means) / 100
