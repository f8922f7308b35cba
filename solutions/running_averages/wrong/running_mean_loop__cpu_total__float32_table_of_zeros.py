"""Each average is written into a table of zeros, of float32 and on the CPU, whatever x is."""

import torch


def running_mean_loop(x):
    averages = torch.zeros(x.shape)
    for b, sequence in enumerate(x):
        for t in range(len(sequence)):
            averages[b, t] = sequence[: t + 1].mean(dim=0)
    return averages
