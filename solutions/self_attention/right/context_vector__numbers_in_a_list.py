"""Comprehensions and a sum with a start value; item() makes numbers of the scores."""

import torch


def context_vector(inputs, i):
    q = inputs[i]
    s = torch.tensor(
        [torch.dot(q, token).item() for token in inputs],
        dtype=inputs.dtype,
        device=inputs.device,
    )
    alpha = s.softmax(-1)
    return s, alpha, sum((a * token for a, token in zip(alpha, inputs)), torch.zeros_like(q))
