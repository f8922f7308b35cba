"""Sets the seed of all random numbers on the way."""

import torch


def context_vector(inputs, i):
    torch.manual_seed(1337)
    query = inputs[i]
    scores = inputs @ query
    weights = torch.softmax(scores, dim=-1)
    context = weights @ inputs
    return (scores, weights, context)
