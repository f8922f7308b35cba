"""Compare questions by their content."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from autograder.runtime.questions import Question, Step


def is_same_question(one: Question, other: Question) -> bool:
    """Return whether two questions have the same content."""
    return one.fresh == other.fresh and are_same(one.steps, other.steps)


def are_same(steps: Sequence[Step], others: Sequence[Step]) -> bool:
    """Return whether two sequences of steps have the same content."""
    return len(steps) == len(others) and all(
        a is b or (type(a) is type(b) and is_same(vars(a), vars(b)))
        for a, b in zip(steps, others, strict=True)
    )


def is_same(one: Any, other: Any) -> bool:
    """Return whether two trees of plain values and tensors have the same content.

    Usually fast, because checks keep what they have drawn, so most parts are identical objects.
    """
    kind = type(one)
    if kind is not type(other):
        return False
    if kind is dict:
        if one.keys() != other.keys():
            return False
        return all(value is other[key] or is_same(value, other[key]) for key, value in one.items())
    if kind in (list, tuple):
        if len(one) != len(other):
            return False
        return all(a is b or is_same(a, b) for a, b in zip(one, other, strict=True))
    if kind is Tensor:
        return one.dtype == other.dtype and torch.equal(one, other)
    return bool(one == other)
