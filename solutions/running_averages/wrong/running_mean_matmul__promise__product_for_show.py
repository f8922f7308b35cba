"""A product is made and thrown away; the means come from a cumulative sum."""

import torch


def running_mean_matmul(x):
    T = x.shape[1]
    triangle = torch.tril(torch.ones(T, T, dtype=x.dtype, device=x.device))
    weights = triangle / triangle.sum(dim=1, keepdim=True)
    means = x.cumsum(dim=1) / torch.arange(1, T + 1, dtype=x.dtype, device=x.device)[:, None]
    weights @ torch.ones_like(x[0])
    return (weights, means)
