"""The table itself is a product, of a diagonal with a triangle; the means take one more."""

import torch


def running_mean_matmul(x):
    n = x.shape[1]
    past = torch.ones((n, n), dtype=x.dtype, device=x.device).tril_()
    weights = torch.diag(past.sum(dim=1).reciprocal()) @ past
    return weights, torch.einsum("ts,bsc->btc", weights, x)
