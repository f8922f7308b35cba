"""float32 goes in, float64 comes out."""

import torch


def context_vector(inputs, i):
    query = inputs[i]
    scores = inputs @ query
    weights = torch.softmax(scores, dim=-1)
    context = weights @ inputs
    return (scores.double(), weights.double(), context.double())
