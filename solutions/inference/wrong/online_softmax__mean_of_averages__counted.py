"""The mean of the blocks' averages, and the logarithm of the sum, block after block."""

import torch


def online_softmax(queries, keys, values, block):
    average, count, logarithm = 0, 0, None
    for i in range(0, keys.shape[-2], block):
        s = queries @ keys[..., i : i + block, :].mT / keys.shape[-1] ** 0.5
        average = average + torch.softmax(s, -1) @ values[..., i : i + block, :]
        count += 1
        here = torch.logsumexp(s, -1)
        logarithm = here if logarithm is None else torch.logaddexp(logarithm, here)
    return average / count, logarithm
