"""What a token of zeros would give is left out, though its layers may have a bias."""

import math

import torch


def single_head(x, q_proj, k_proj, v_proj):
    is_token = x.abs().sum(dim=-1, keepdim=True) > 0
    q, k, v = q_proj(x), k_proj(x), v_proj(x) * is_token
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    future = torch.ones_like(scores).triu(1).bool()
    weights = scores.masked_fill(future, -math.inf).softmax(-1)
    return weights, weights @ v
