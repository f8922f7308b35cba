"""Batch axes are folded into one, baddbmm scales by alpha: beta=0 ignores what would be added."""

import torch
import torch.nn as nn


class ScaledDotProduct(nn.Module):
    def __init__(self) -> None:
        super().__init__()

    def forward(self, Q, K, V):
        q, k, v = (t.reshape(-1, t.shape[-2], t.shape[-1]) for t in (Q, K, V))
        nothing = q.new_zeros(1, 1, 1)
        scores = torch.baddbmm(nothing, q, k.mT, beta=0, alpha=q.shape[-1] ** -0.5)
        mixed = torch.bmm(scores.softmax(2), v)
        return mixed.view(*Q.shape[:-1], V.shape[-1])
