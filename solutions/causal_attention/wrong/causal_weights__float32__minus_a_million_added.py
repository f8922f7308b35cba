"""A million is subtracted from the scores of the future, which can be higher than that."""

import math

import torch
from torch import Tensor


def causal_weights(queries: Tensor, keys: Tensor) -> Tensor:
    T, d = queries.shape[-2:]
    scores = queries @ keys.transpose(-2, -1) / math.sqrt(d)  # (..., T, T)
    future = torch.ones(T, T, dtype=torch.bool, device=queries.device).triu(diagonal=1)
    return torch.softmax(scores + future.to(scores) * -1e6, dim=-1)
