"""The logarithm of the sum relative to the largest score."""

import torch


def online_softmax(queries, keys, values, block):
    best = queries.new_full((*queries.shape[:-1], 1), -torch.inf)
    total, out = torch.zeros_like(best), 0
    for K, V in zip(keys.split(block, -2), values.split(block, -2)):
        s = queries @ K.mT / K.shape[-1] ** 0.5
        new = torch.maximum(best, s.amax(-1, keepdim=True))
        p, shrink = (s - new).exp(), (best - new).exp()
        total, out, best = total * shrink + p.sum(-1, keepdim=True), out * shrink + p @ V, new
    return out / total, total.log().squeeze(-1)
