"""A loop over chunks of eight queries: more tokens take more operations."""

import torch


def simple_self_attention(inputs):
    weights = torch.cat([torch.softmax(q @ inputs.T, dim=-1) for q in inputs.split(8)])
    return weights, weights @ inputs
