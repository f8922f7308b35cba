"""Gives float64, whatever it is given."""

import torch


def online_softmax(queries, keys, values, block):
    queries, keys, values = queries.double(), keys.double(), values.double()
    average, log_sum = 0.0, queries.new_full(queries.shape[:-1], -torch.inf)
    for K, V in zip(keys.split(block, -2), values.split(block, -2)):
        s = queries @ K.mT / K.shape[-1] ** 0.5
        new = torch.logaddexp(log_sum, s.logsumexp(-1))
        average = average * (log_sum - new).exp()[..., None] + (s - new[..., None]).exp() @ V
        log_sum = new
    return average, log_sum
