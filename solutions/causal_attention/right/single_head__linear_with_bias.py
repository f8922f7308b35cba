"""F.linear with weight and bias taken from the layers, and two calls of attention for weights and out."""

import torch
from torch.nn import functional as F


def single_head(x, q_proj, k_proj, v_proj):
    q, k, v = (F.linear(x, p.weight, p.bias) for p in (q_proj, k_proj, v_proj))
    eye = torch.eye(x.shape[1], dtype=x.dtype, device=x.device).expand(len(x), -1, -1)
    weights = F.scaled_dot_product_attention(q, k, eye, is_causal=True)
    return weights, weights @ v
