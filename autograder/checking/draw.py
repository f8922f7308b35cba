"""Random numbers for checks: reproducible from a seed, on every machine."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cache

import numpy as np
import torch
from torch import Tensor

UNIFORMS = 4  # uniform numbers whose sum approximates one normal number
SPREAD = (UNIFORMS / 12) ** 0.5  # standard deviation of their sum (Irwin 1927, Hall 1927)


class Draw:
    """The random numbers of one check: float64, and exact in float32 as well.

    The n-th tensor depends only on the seed, on n and on its shape, and is the same to the last bit
    on every machine. Tensors are cached because every submission gets the same ones; do not modify
    them.
    """

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._drawn = 0

    def normal(self, *shape: int) -> Tensor:
        """Return nearly normal numbers of mean 0 and variance 1, from -3.5 to 3.5."""
        self._drawn += 1
        return _normal(self._seed, self._drawn, shape)

    def integers(self, below: int, *shape: int) -> Tensor:
        """Return whole numbers from 0 to below - 1, int64."""
        self._drawn += 1
        return _integers(self._seed, self._drawn, below, shape)

    def size(self, least: int, most: int) -> int:
        """Return a size from least to most. Use disjoint ranges to keep several sizes different."""
        self._drawn += 1
        return least + int(_integers(self._seed, self._drawn, most - least + 1, ()))

    def weights(self, shapes: Mapping[str, tuple[int, ...]]) -> dict[str, Tensor]:
        """Return for each parameter numbers of size 1 / sqrt(n), n its largest dimension."""
        self._drawn += 1
        return {name: _weight(f"{self._seed} {name}", self._drawn, s) for name, s in shapes.items()}


@cache
def _normal(seed: str, number: int, shape: tuple[int, ...]) -> Tensor:
    count = int(np.prod(shape))
    uniform = _words(seed, number, count).view(np.uint16).reshape(count, UNIFORMS)
    summed = (uniform.sum(axis=1, dtype=np.int64) + UNIFORMS / 2) / 2**16 - UNIFORMS / 2
    return torch.from_numpy((summed / SPREAD).astype(np.float32)).double().reshape(shape)


@cache
def _integers(seed: str, number: int, below: int, shape: tuple[int, ...]) -> Tensor:
    words = _words(seed, number, int(np.prod(shape)))
    return torch.from_numpy((words % np.uint64(below)).astype(np.int64)).reshape(shape)


@cache
def _weight(seed: str, number: int, shape: tuple[int, ...]) -> Tensor:
    smaller = _normal(seed, number, shape).float() / max(shape, default=1) ** 0.5
    return smaller.double()


def _words(seed: str, number: int, count: int) -> np.ndarray:
    """Return random words of 64 bits, from a bit generator: NumPy keeps only its stream stable."""
    digest = hashlib.blake2b(f"{seed} {number}".encode(), digest_size=8).digest()
    words: np.ndarray = np.random.PCG64(int.from_bytes(digest, "big")).random_raw(count)
    return words.astype("<u8")
