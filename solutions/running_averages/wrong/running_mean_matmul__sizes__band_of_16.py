"""A band of 16 tokens instead of a triangle."""

import torch


def running_mean_matmul(x):
    T = x.shape[1]
    triangle = torch.tril(torch.ones(T, T, dtype=x.dtype, device=x.device)).triu(-15)
    weights = triangle / triangle.sum(dim=1, keepdim=True)
    means = weights @ x
    return (weights, means)
