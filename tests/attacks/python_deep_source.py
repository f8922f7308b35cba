"""Has Python compile source that breaks compilers: deep brackets, endless sums, huge powers.

exercise: ScaledDotProduct
safe: source is compiled in the student's process only
"""

import contextlib

import torch
from torch import nn

SOURCES = (
    "(" * 100_000 + ")" * 100_000,
    "+".join("1" * 50_000),
    "[" * 150 + "0" + "]" * 150,
    "lambda: " * 5_000 + "0",
    "x = " * 50_000 + "0",
)
for source in SOURCES:
    with contextlib.suppress(BaseException):
        compile(source, "deep", "exec")


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        return torch.zeros(*Q.shape[:-1], V.shape[-1])
