"""The table is made in one step, but each of its rows is printed."""

import torch


def running_mean_matmul(x):
    T = x.shape[1]
    weights = torch.ones(T, T, dtype=x.dtype, device=x.device).tril()
    weights = weights / weights.sum(dim=1, keepdim=True)
    for row in weights:
        print(row.sum().item())
    return weights, weights @ x
