"""Reads the keys twice: first for the logarithm of the sum, then for the average."""

import math

import torch


def online_softmax(queries, keys, values, block):
    def scores_of(first):
        part = keys[..., first : first + block, :]
        return (queries @ part.mT) / math.sqrt(queries.size(-1))

    starts = range(0, keys.size(-2), block)
    log_sum = torch.full_like(queries[..., 0], -torch.inf)
    for first in starts:
        log_sum = torch.logaddexp(log_sum, scores_of(first).logsumexp(-1))
    result = 0.0
    for first in starts:
        shares = (scores_of(first) - log_sum.unsqueeze(-1)).exp()
        result = result + shares @ values[..., first : first + block, :]
    return result, log_sum
