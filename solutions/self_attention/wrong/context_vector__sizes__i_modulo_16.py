"""Counts tokens from 0 to 15, and begins anew."""

import torch


def context_vector(inputs, i):
    query = inputs[i % 16 if len(inputs) > 16 else i]
    scores = inputs @ query
    weights = torch.softmax(scores, dim=-1)
    context = weights @ inputs
    return (scores, weights, context)
