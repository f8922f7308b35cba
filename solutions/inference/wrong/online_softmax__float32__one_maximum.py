"""One maximum for all queries."""

import torch


def online_softmax(queries, keys, values, block):
    best, total, out = -torch.inf, 0.0, 0.0
    best = queries.new_tensor(best)
    for i in range(0, keys.shape[-2], block):
        s = queries @ keys[..., i : i + block, :].mT / keys.shape[-1] ** 0.5
        new = torch.maximum(best, s.max())
        p = (s - new).exp()
        shrink = (best - new).exp()
        total = total * shrink + p.sum(-1, keepdim=True)
        out = out * shrink + p @ values[..., i : i + block, :]
        best = new
    return out / total, best + total[..., 0].log()
