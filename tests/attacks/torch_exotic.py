"""Returns tensors of every unusual kind: sparse, nested, meta, complex, conjugated, quantised.

exercise: ScaledDotProduct
safe: each is brought into plain numbers or described in words
"""

import itertools

import torch
from torch import nn

MAKE = itertools.cycle(
    [
        lambda shape: torch.zeros(shape).to_sparse(),
        lambda shape: torch.zeros(shape, device="meta"),
        lambda shape: torch.zeros(shape, dtype=torch.complex64).conj(),
        lambda shape: torch.zeros(shape, dtype=torch.complex64).imag,
        lambda shape: torch._neg_view(torch.zeros(shape)),
        lambda shape: torch.nested.nested_tensor([torch.zeros(2), torch.zeros(3)]),
        lambda shape: torch.zeros(shape, names=[None] * len(shape)),
        lambda shape: torch.zeros(shape).to_mkldnn(),
        lambda shape: torch.zeros((1,) * 60),
        lambda shape: torch.zeros(shape, dtype=torch.float8_e5m2),
    ]
)


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        return next(MAKE)((*Q.shape[:-1], V.shape[-1]))
