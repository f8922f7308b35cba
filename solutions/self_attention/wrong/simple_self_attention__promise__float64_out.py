"""float32 goes in, float64 comes out."""

import torch


def simple_self_attention(inputs):
    scores = inputs @ inputs.T
    weights = torch.softmax(scores, dim=-1)
    context = weights @ inputs
    return (weights.double(), context.double())
