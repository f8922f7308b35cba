"""A cumulative sum instead of a matrix product."""

import torch


def running_mean_matmul(x):
    T = x.shape[1]
    triangle = torch.tril(torch.ones(T, T, dtype=x.dtype, device=x.device))
    weights = triangle / triangle.sum(dim=1, keepdim=True)
    means = x.cumsum(dim=1) / torch.arange(1, T + 1, dtype=x.dtype, device=x.device)[:, None]
    return (weights, means)
