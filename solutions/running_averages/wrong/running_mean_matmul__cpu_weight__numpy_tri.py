"""NumPy's tri makes the table, which therefore lies on the CPU wherever x is."""

import numpy as np
import torch


def running_mean_matmul(x):
    seq_len = x.size(1)
    table = np.tri(seq_len)
    table /= table.sum(axis=1, keepdims=True)
    wei = torch.from_numpy(table).to(dtype=x.dtype)
    return wei, wei @ x
