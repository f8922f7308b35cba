"""The future is filled with minus a million; scores can be lower than that."""

import math

import torch
from torch import Tensor, nn


def single_head(
    x: Tensor, q_proj: nn.Linear, k_proj: nn.Linear, v_proj: nn.Linear
) -> tuple[Tensor, Tensor]:
    q, k, v = q_proj(x), k_proj(x), v_proj(x)  # (B, T, d) each
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])  # (B, T, T)
    future = torch.ones_like(scores, dtype=torch.bool).triu(diagonal=1)
    weights = torch.softmax(scores.masked_fill(future, -1e6), dim=-1)
    return weights, weights @ v
