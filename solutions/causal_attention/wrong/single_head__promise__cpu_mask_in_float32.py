"""Queries and keys become float32; the mask lies on the CPU."""

import math

import torch


def single_head(x, q_proj, k_proj, v_proj):
    q, k, v = q_proj(x).float(), k_proj(x).float(), v_proj(x).float()
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    future = torch.ones(scores.shape[-2:]).triu(1) > 0
    weights = scores.masked_fill(future, -torch.inf).softmax(dim=-1)
    return weights, weights @ v
