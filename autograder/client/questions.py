"""Questions to an implementation, in the form that is sent to a child."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

SEED = 20170612  # for dropout and other random numbers, so that grades are reproducible


@dataclass(frozen=True)
class Asked:
    """One question: its steps, and whether it begins a new conversation (`fresh`)."""

    steps: list[dict[str, Any]]
    fresh: bool

    @property
    def job(self) -> dict[str, Any]:
        """The question in the form that a child reads."""
        return {"steps": self.steps, "seed": SEED, "fresh": self.fresh}

    def equals(self, other: Asked) -> bool:
        """Return whether two questions have the same content."""
        return self.fresh == other.fresh and is_same(self.steps, other.steps)


def is_same(one: Any, other: Any) -> bool:
    """Return whether two trees of plain values and tensors have the same content.

    Usually fast, because checks keep what they have drawn, so most parts are identical objects.
    """
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        if one.keys() != other.keys():
            return False
        one, other = list(one.values()), [other[name] for name in one]
    if isinstance(one, list):
        if len(one) != len(other):
            return False
        pairs = [(a, b) for a, b in zip(one, other, strict=True) if a is not b]
        return all(is_same(a, b) for a, b in pairs)
    if isinstance(one, Tensor):
        return one.dtype == other.dtype and torch.equal(one, other)
    return bool(one == other)
