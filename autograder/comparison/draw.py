"""Random numbers for checks: the same in every run of a course, others in another course."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

import torch
from torch import Tensor


class Draw:
    """A generator of its own for one check. All numbers are exact in float32.

    Everything drawn is float64; being exact in float32, it means the same in both types.
    """

    def __init__(self, seed: str) -> None:
        digest = hashlib.blake2b(seed.encode(), digest_size=7).digest()
        self._generator = torch.Generator().manual_seed(int.from_bytes(digest, "big"))

    def normal(self, *shape: int) -> Tensor:
        """Numbers of the standard normal distribution, in the given shape."""
        return torch.randn(*shape, generator=self._generator).double()

    def weights(self, shapes: Mapping[str, tuple[int, ...]]) -> dict[str, Tensor]:
        """For each parameter numbers of size 1 / sqrt(n), n the larger side of a matrix."""
        return {
            name: (self.normal(*shape).float() / max(shape, default=1) ** 0.5).double()
            for name, shape in shapes.items()
        }
