"""Exercise 1 does the work: its function is called with the keys by name."""

import math

import torch
from torch import nn


def causal_weights(queries, keys):
    T, d = queries.shape[-2], queries.shape[-1]
    mask = torch.tril(torch.ones(T, T, device=queries.device))
    wei = queries @ keys.transpose(-2, -1) / math.sqrt(d)
    wei = wei.masked_fill(mask == 0, float("-inf"))
    return nn.functional.softmax(wei, dim=-1)


def single_head(x, q_proj, k_proj, v_proj):
    weights = causal_weights(q_proj(x), keys=k_proj(x))
    return weights, weights @ v_proj(x)
