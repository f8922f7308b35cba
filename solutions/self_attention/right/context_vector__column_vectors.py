"""Columns, as in a text book of algebra: squeezed only at the end, with dim given."""

import torch
from einops import rearrange


def context_vector(inputs, i):
    query = rearrange(inputs[i], "d -> d 1")
    scores = torch.matmul(inputs, query)
    weights = scores.softmax(dim=-2)
    context = inputs.mT @ weights
    return scores.squeeze(-1), weights.squeeze(-1), context.squeeze(-1)
