"""A softmax by hand with logsumexp on an additive mask, but it shares out down the columns."""

import torch


def running_mean_softmax(x):
    size = x.shape[1]
    logits = torch.full((size, size), -torch.inf, dtype=x.dtype, device=x.device).triu(1)
    weights = (logits - logits.logsumexp(0, keepdim=True)).exp()
    return weights, torch.einsum("ts,bsc->btc", weights, x)
