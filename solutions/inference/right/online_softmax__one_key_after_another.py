"""A loop over single keys, whatever block is, with products and sums by hand."""

import math

import torch


def online_softmax(queries, keys, values, block):
    log_sum = torch.full(queries.shape[:-1], -math.inf, dtype=queries.dtype, device=queries.device)
    mean = torch.zeros(
        *queries.shape[:-1], values.shape[-1], dtype=values.dtype, device=values.device
    )
    for key, value in zip(keys.unbind(-2), values.unbind(-2), strict=True):
        score = (queries * key.unsqueeze(-2)).sum(-1) / math.sqrt(key.shape[-1])
        log_sum = torch.logaddexp(log_sum, score)
        share = torch.exp(score - log_sum).unsqueeze(-1)
        mean = mean + share * (value.unsqueeze(-2) - mean)
    return mean, log_sum
