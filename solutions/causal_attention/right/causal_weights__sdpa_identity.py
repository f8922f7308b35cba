"""PyTorch's own causal attention, with values that give the weights themselves back."""

import torch
from torch.nn.functional import scaled_dot_product_attention


def causal_weights(queries, keys):
    T = keys.shape[-2]
    one_hot = torch.eye(T, dtype=keys.dtype, device=keys.device)
    values = one_hot.expand(*keys.shape[:-2], T, T)
    return scaled_dot_product_attention(queries, keys, values, is_causal=True)
