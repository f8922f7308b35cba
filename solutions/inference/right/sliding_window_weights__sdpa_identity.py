"""PyTorch's own attention with a mask; values that are 1 at one place each give the weights."""

import torch
from torch.nn.functional import scaled_dot_product_attention


def sliding_window_weights(queries, keys, window):
    T = queries.shape[-2]
    i = torch.arange(T, device=queries.device).unsqueeze(1)
    j = i.T
    one_hot = torch.eye(T, dtype=queries.dtype, device=queries.device)
    one_hot = one_hot.expand(*queries.shape[:-2], T, T)
    return scaled_dot_product_attention(
        queries, keys, one_hot, attn_mask=(j <= i).logical_and(j > i - window)
    )
