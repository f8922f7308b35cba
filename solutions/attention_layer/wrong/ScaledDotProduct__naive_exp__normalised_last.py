"""Einsum, and division at the very end, by a bare exp that overflows for large scores."""

import torch
from torch import einsum, nn


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        d = Q.shape[-1]
        e = einsum("...ld,...sd->...ls", Q, K).mul(d**-0.5).exp()
        zaehler = einsum("...ls,...sv->...lv", e, V)
        nenner = einsum("...ls->...l", e).unsqueeze(-1)
        return zaehler / nenner
