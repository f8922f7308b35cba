"""Multiplies by the weights of the layers and forgets their biases."""

import math

import torch


def single_head(x, q_proj, k_proj, v_proj):
    q, k, v = (x @ layer.weight.T for layer in (q_proj, k_proj, v_proj))
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    future = torch.ones_like(scores, dtype=torch.bool).triu(diagonal=1)
    weights = torch.softmax(scores.masked_fill(future, -torch.inf), dim=-1)
    return (weights, weights @ v)
