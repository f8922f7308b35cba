"""Leaves out a last block that is shorter, unless it is the only one."""

import torch


def online_softmax(queries, keys, values, block):
    S = keys.shape[-2]
    best = queries.new_full(queries.shape[:-1], -torch.inf)
    total, out = torch.zeros_like(best), queries.new_zeros(*queries.shape[:-1], values.shape[-1])
    for i in range(max(1, S // block)):
        part = slice(i * block, (i + 1) * block)
        s = queries @ keys[..., part, :].mT / keys.shape[-1] ** 0.5
        new = torch.maximum(best, s.amax(-1))
        p, shrink = (s - new[..., None]).exp(), (best - new).exp()
        total = total * shrink + p.sum(-1)
        out = out * shrink[..., None] + p @ values[..., part, :]
        best = new
    return out / total[..., None], best + total.log()
