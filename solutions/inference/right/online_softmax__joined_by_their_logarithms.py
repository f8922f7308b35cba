"""Each block by itself, joined by the logarithms of its sum."""

import torch


def online_softmax(queries, keys, values, block):
    average = logarithm = None
    scale = queries.shape[-1] ** -0.5
    for K, V in zip(keys.split(block, dim=-2), values.split(block, dim=-2)):
        scores = torch.einsum("...td,...sd->...ts", queries, K) * scale
        here = scores.logsumexp(dim=-1)
        part = scores.softmax(dim=-1) @ V
        if average is None:
            average, logarithm = part, here
            continue
        both = torch.logaddexp(logarithm, here)
        average = (logarithm - both).exp()[..., None] * average
        average = average + (here - both).exp()[..., None] * part
        logarithm = both
    return average, logarithm
