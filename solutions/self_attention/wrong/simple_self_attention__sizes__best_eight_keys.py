"""Each query sees its best eight keys only."""

import torch


def simple_self_attention(inputs):
    scores = inputs @ inputs.T
    least = scores.topk(min(8, len(scores)), dim=-1).values[:, -1:]
    scores = scores.masked_fill(scores < least, -torch.inf)
    weights = torch.softmax(scores, dim=-1)
    context = weights @ inputs
    return (weights, context)
