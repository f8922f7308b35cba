"""Changes the default type of all new tensors."""

import torch


def simple_self_attention(inputs):
    torch.set_default_dtype(torch.float64)
    scores = inputs @ inputs.T
    weights = torch.softmax(scores, dim=-1)
    context = weights @ inputs
    return (weights, context)
