"""Random numbers for checks: the same in every run of a course, others in another course."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cache

import torch
from torch import Tensor


class Draw:
    """The random numbers of one check. All are float64, and exact in float32 as well.

    The n-th tensor that is drawn depends on the seed, on n and on its shape only. It is kept,
    since every submission is asked the same, and must not be changed.
    """

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._drawn = 0

    def normal(self, *shape: int) -> Tensor:
        """Numbers of the standard normal distribution, in the given shape."""
        self._drawn += 1
        return _normal(self._seed, self._drawn, shape)

    def weights(self, shapes: Mapping[str, tuple[int, ...]]) -> dict[str, Tensor]:
        """For each parameter numbers of size 1 / sqrt(n), n the larger side of a matrix."""
        self._drawn += 1
        return {name: _weight(f"{self._seed} {name}", self._drawn, s) for name, s in shapes.items()}


@cache
def _normal(seed: str, number: int, shape: tuple[int, ...]) -> Tensor:
    digest = hashlib.blake2b(f"{seed} {number}".encode(), digest_size=7).digest()
    generator = torch.Generator().manual_seed(int.from_bytes(digest, "big"))
    return torch.randn(*shape, generator=generator).double()


@cache
def _weight(seed: str, number: int, shape: tuple[int, ...]) -> Tensor:
    smaller = _normal(seed, number, shape).float() / max(shape, default=1) ** 0.5
    return smaller.double()
