"""A triangle of ones adds up the prefixes by einsum; its row sums are what to divide by."""

import torch


def running_mean_loop(x):
    ones = torch.ones(x.shape[1], x.shape[1], dtype=x.dtype, device=x.device)
    prefix = torch.tril(ones)
    return torch.einsum("ti,bic->btc", prefix, x) / torch.einsum("ti->t", prefix)[None, :, None]
