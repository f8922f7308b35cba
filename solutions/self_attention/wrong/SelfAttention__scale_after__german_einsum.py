"""German names, einsum; the mixture is divided by the root at the very end, not the scores."""

import math

import torch
from torch import nn


class SelfAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query, self.W_key, self.W_value = map(
            nn.Parameter, [torch.rand(d_in, d_out) for _ in range(3)]
        )
        self.wurzel = math.sqrt(d_out)

    def forward(self, x):
        anfragen = torch.einsum("ti,io->to", x, self.W_query)
        schluessel = torch.einsum("ti,io->to", x, self.W_key)
        werte = torch.einsum("ti,io->to", x, self.W_value)
        gewichte = torch.einsum("ao,bo->ab", anfragen, schluessel).softmax(dim=-1)
        return torch.einsum("ab,bo->ao", gewichte, werte) / self.wurzel
