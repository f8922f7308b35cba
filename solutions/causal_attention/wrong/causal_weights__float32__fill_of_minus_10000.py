"""The future is filled with -10,000, which lower scores come near."""

import math

import torch
from torch import Tensor


def causal_weights(queries: Tensor, keys: Tensor) -> Tensor:
    T, d = queries.shape[-2:]
    scores = queries @ keys.transpose(-2, -1) / math.sqrt(d)  # (..., T, T)
    future = torch.ones(T, T, dtype=torch.bool, device=queries.device).triu(diagonal=1)
    return torch.softmax(scores.masked_fill(future, -1e4), dim=-1)
