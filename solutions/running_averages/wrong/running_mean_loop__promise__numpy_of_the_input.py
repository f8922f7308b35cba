"""NumPy adds up; the result goes to the device of x, but its numbers are asked for on the CPU."""

import numpy as np
import torch


def running_mean_loop(x):
    values = x.detach().numpy()
    counts = np.arange(1, values.shape[1] + 1, dtype=values.dtype).reshape(1, -1, 1)
    return torch.from_numpy(np.cumsum(values, axis=1) / counts).to(x.device)
