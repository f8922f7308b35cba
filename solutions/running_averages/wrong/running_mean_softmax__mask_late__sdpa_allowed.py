"""Attention with queries and keys of 0, whose mask of allowed places has a diagonal too many."""

import torch
import torch.nn.functional as F


def running_mean_softmax(x):
    T = x.shape[1]
    q = k = torch.zeros_like(x)
    eye = torch.eye(T, dtype=x.dtype, device=x.device)
    allowed = torch.ones(T, T, dtype=torch.bool, device=x.device).tril(diagonal=1)
    weights = F.scaled_dot_product_attention(q[0], k[0], eye, attn_mask=allowed)
    return weights, F.scaled_dot_product_attention(q, k, x, attn_mask=allowed)
