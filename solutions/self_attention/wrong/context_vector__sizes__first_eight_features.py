"""Compares the first eight features only."""

import torch


def context_vector(inputs, i):
    query = inputs[i]
    scores = inputs[:, :8] @ query[:8]
    weights = torch.softmax(scores, dim=-1)
    context = weights @ inputs
    return (scores, weights, context)
