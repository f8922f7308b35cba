"""The weights are right; the product is copied into a new tensor on the CPU."""

import torch


def running_mean_matmul(x):
    B, T, C = x.shape
    w = x.new_ones(T, T).tril()
    w = w / w.sum(dim=1, keepdim=True)
    out = torch.empty((B, T, C), dtype=x.dtype)
    out[:] = w @ x
    return w, out
