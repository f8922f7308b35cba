"""Each row is a softmax over its own past, padded with zeros; the divisor is d without its root."""

import torch
from torch.nn.functional import pad


def causal_weights(Q, K):
    *_, n, dim = K.shape
    rows = [
        pad(((Q[..., [i], :] * K[..., : i + 1, :]).sum(-1) / dim).softmax(-1), (0, n - i - 1))
        for i in range(n)
    ]
    return torch.stack(rows, -2)
