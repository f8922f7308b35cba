"""Raises exceptions with monstrous names, texts of 100 MB, and texts that raise or never end.

exercise: ScaledDotProduct
safe: names and texts are cut, and one that cannot be had is described
"""

import itertools

from torch import nn


class Endless(Exception):
    def __str__(self):
        while True:
            pass


class Worse(Exception):
    def __str__(self):
        raise SystemExit("BREACH")

    def __repr__(self):
        raise MemoryError


class Large(Exception):
    def __str__(self):
        return "large " * 20_000_000


class NotText(Exception):
    def __str__(self):
        return 7


Named = type("N" * 1_000_000, (Exception,), {"__module__": "m" * 1_000_000})
KINDS = itertools.cycle([Worse, Large, Named, NotText, Endless])


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        raise next(KINDS)("surrogates: \ud800 \udfff")
