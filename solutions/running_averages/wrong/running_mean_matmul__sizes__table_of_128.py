"""Cuts a table of 128 tokens to the sequence."""

import torch


def running_mean_matmul(x):
    T = x.shape[1]
    triangle = torch.tril(torch.ones(128, 128, dtype=x.dtype, device=x.device))[:T, :T]
    weights = triangle / triangle.sum(dim=1, keepdim=True)
    means = weights @ x
    return (weights, means)
