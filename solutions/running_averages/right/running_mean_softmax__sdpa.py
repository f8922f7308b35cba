"""Attention with queries and keys of 0, once on unit vectors, which gives the weights themselves."""

import torch
from torch.nn.functional import scaled_dot_product_attention as attend


def running_mean_softmax(x):
    nothing = torch.zeros_like(x)
    units = torch.eye(x.shape[1], dtype=x.dtype, device=x.device)
    weights = attend(nothing[0], nothing[0], units, is_causal=True)
    return weights, attend(nothing, nothing, x, is_causal=True)
