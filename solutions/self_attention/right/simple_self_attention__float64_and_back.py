"""Computes in float64, whatever comes in, and gives back the type that came."""

import torch


def simple_self_attention(inputs):
    x = inputs.to(torch.float64)
    scores = torch.mm(x, x.t())
    scores = scores - scores.amax(dim=1, keepdim=True)
    weights = scores.exp() / scores.exp().sum(dim=1, keepdim=True)
    return weights.to(inputs.dtype), (weights @ x).to(inputs.dtype)
