"""F.linear is called with the weights alone."""

import math

import torch
from torch.nn import functional as F


def single_head(x, q_proj, k_proj, v_proj):
    q, k, v = [F.linear(x, layer.weight) for layer in (q_proj, k_proj, v_proj)]
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    future = torch.ones_like(scores, dtype=torch.bool).triu(diagonal=1)
    weights = torch.softmax(scores.masked_fill(future, -torch.inf), dim=-1)
    return (weights, weights @ v)
