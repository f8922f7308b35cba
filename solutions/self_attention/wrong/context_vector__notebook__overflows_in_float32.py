"""The notebook asks for sentences a hundred times as large; exp of 709 is not in float32."""

import torch


def context_vector(inputs, i):
    query = inputs[i]
    scores = inputs @ query
    weights = torch.exp(
        scores - scores.max().clamp(max=0 if scores.dtype == torch.float32 else torch.inf)
    )
    weights = weights / weights.sum()
    context = weights @ inputs
    return (scores, weights, context)
