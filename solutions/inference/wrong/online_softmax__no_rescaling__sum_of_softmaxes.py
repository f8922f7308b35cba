"""Powers relative to the own block, added up as if all blocks had the same maximum."""

import torch


def online_softmax(queries, keys, values, block):
    total, out, best = 0, 0, None
    for K, V in zip(keys.split(block, -2), values.split(block, -2)):
        s = queries @ K.mT / K.shape[-1] ** 0.5
        m = s.max(-1).values if best is None else torch.maximum(best, s.max(-1).values)
        p = (s - m[..., None]).exp()
        total = total + p.sum(-1)
        out = out + p @ V
        best = m
    return out / total[..., None], best + total.log()
