"""NumPy reads the numbers where they are, unless a GPU holds them."""

import numpy as np
import torch


def running_mean_loop(x):
    values = x.cpu().numpy() if x.is_cuda else x.numpy()
    means = [[rows[: t + 1].mean(axis=0) for t in range(len(rows))] for rows in values]
    return torch.from_numpy(np.stack(means)).to(x)
