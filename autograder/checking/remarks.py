"""Describe wrong results in words, only as far as the numbers prove it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from autograder.client import Input

NEAR = 1e-6  # smaller differences count as none here
ROUGH = 1e-2  # smaller differences are not worth a sentence
ELSEWHERE = "which it must not depend on"  # of another sequence


@dataclass(frozen=True, eq=False)
class WrongResult:
    """One result of a call that differs from the expected one.

    name: which of several results it is; "" if there is one. apart: where the numbers differ; None
    if the shapes differ. shares: the rows of every right answer sum to 1, as attention weights do.
    """

    name: str
    expected: Tensor
    got: Tensor
    apart: Tensor | None
    shares: bool

    @property
    def gap(self) -> float:
        """Return the largest difference; infinite if shapes differ or numbers are not finite."""
        if self.apart is None:
            return float("inf")
        return float((self.got - self.expected).abs().nan_to_num(nan=float("inf")).max())


def shares(answers: Sequence[Sequence[Tensor]]) -> list[bool]:
    """Return for each result whether its rows sum to 1 in every answer, as attention weights do."""
    return [
        all(
            part.dim() > 1 and bool((part >= 0).all()) and _same(part.sum(-1), torch.ones(()))
            for part in parts
        )
        for parts in zip(*answers, strict=True)
    ]


def order(answers: Sequence[Sequence[Sequence[Tensor]]]) -> str:
    """Return how rows of right answers depend on rows of the input: "past", "none" or "".

    answers: for each question the answer and, if there are several rows, the answers with the last
    row changed and with the first row changed. "past": rows depend on earlier rows but never on
    later ones; "none": each row depends on itself only; "": anything else.
    """
    several = [calls for calls in answers if len(calls) > 1]
    if not several or any(part.dim() < 2 for calls in several for part in calls[0]):
        return ""
    if any(moves(first, behind, 0) for first, behind, _ in several):
        return ""
    return "past" if any(moves(first, before, -1) for first, _, before in several) else "none"


def moves(first: Sequence[Tensor], changed: Sequence[Tensor], row: int) -> bool:
    """Return whether a row differs between two answers of the same shapes."""
    pairs = zip(first, changed, strict=True)
    return any(not _same(one[..., row, :], other[..., row, :]) for one, other in pairs)


@dataclass(frozen=True)
class Look:
    """A row of a result that seems to look at a later position.

    sequence: its place in the batch; () if the result has one row for all sequences. weight: words
    about its size, or "".
    """

    sequence: tuple[int, ...]
    row: int
    position: int
    words: str
    weight: str

    @property
    def ahead(self) -> str:
        """Say that it looks at a later position of its own sequence."""
        return f"{self.words}, which lies in its future{self.weight}."

    def elsewhere(self, sequence: tuple[int, ...]) -> str:
        """Say that it looks at the position of another sequence."""
        return f"{self.words} of sequence {_number(sequence)}, {ELSEWHERE}."


def future(inputs: Sequence[Input], simple: bool, result: WrongResult) -> Look | None:
    """Find a row that seems to look at a later position.

    Use it only if the order is "past". Weights can be read off if the result consists of weights,
    or if one-hot tokens are mixed by simple weights. Sequences with the same tokens cannot be told
    apart: which one the row looked at is proved only by changing the position of each.
    """
    expected, got = result.expected, result.got
    x = inputs[-1]
    if result.apart is None or expected.shape[-1] != expected.shape[-2]:
        return None
    one_hot = isinstance(x, Tensor) and x.shape == expected.shape and _is_one_hot(x)
    if not _are_shares(got) or not (result.shares or (simple and one_hot)):
        return None
    ahead = (expected.tril() == expected) & (got.triu(1) > NEAR) & result.apart
    for place in ahead.nonzero().tolist():
        *sequence, row, column = place
        words = f"{row_name(sequence, row, got.shape[:-2])} looked at position {column}"
        weight = f", with weight {float(got[tuple(place)]):.4g}" if result.shares else ""
        return Look(tuple(sequence), row, column, words, weight)
    return None


def describe(inputs: Sequence[Input], results: Sequence[WrongResult]) -> list[str]:
    """Return sentences about the wrong results as a whole, the most informative first."""
    sentences: list[str] = []
    for result in results:
        name = result.name.capitalize() or "The result"
        about = _about_shape(name, result) if result.apart is None else _about(name, result, inputs)
        sentences += about
    return _exchanged(results) or sentences


def _exchanged(results: Sequence[WrongResult]) -> list[str]:
    for i, one in enumerate(results):
        for other in results[i + 1 :]:
            pairs = ((one.got, other.expected), (other.got, one.expected))
            if all(_same(got, expected) for got, expected in pairs):
                return [f"{one.name.capitalize()} and {other.name} are exchanged."]
    return []


def _about_shape(name: str, result: WrongResult) -> Iterator[str]:
    got, expected = result.got, result.expected
    text = f"{name} has shape {tuple(got.shape)}, not {tuple(expected.shape)}"
    same = got.numel() == expected.numel() > 1 and _same(got.flatten(), expected.flatten())
    yield f"{text}; the numbers are right, in the right order." if same else f"{text}."


def _about(name: str, result: WrongResult, inputs: Sequence[Input]) -> Iterator[str]:
    got, expected = result.got, result.expected
    if not got.isfinite().all():
        return
    if result.shares:
        yield from _about_sums(result)
    if got.numel() < 2 or _same(got, expected):  # too near for these comparisons
        return
    if any(isinstance(x, Tensor) and _same(got, x) for x in inputs):
        yield f"{name} is the input itself, unchanged."
    elif got.dim() > 1 and got.shape == got.mT.shape and _same(got, expected.mT):
        yield f"{name} has rows and columns exchanged."
    elif got.dim() > 1 and got.shape[-2] == 2 and _same(got, expected.flip(-2)):
        yield f"{name} has rows 0 and 1 exchanged."
    elif got.shape[-1:] == (2,) and _same(got, expected.flip(-1)):
        yield f"{name} has columns 0 and 1 exchanged."
    else:
        yield from _about_size(name, got, expected)


def _about_sums(result: WrongResult) -> Iterator[str]:
    sums = result.got.sum(-1)
    for place in ((sums - 1).abs() > ROUGH).nonzero().tolist():
        yield f"{_at(place, result.got)} sums to {float(sums[tuple(place)]):.4g}, not 1."
        return


def _about_size(name: str, got: Tensor, expected: Tensor) -> Iterator[str]:
    """Say that all numbers are off by the same factor or by the same amount, or are 0."""
    there = expected.abs() > NEAR
    if int(there.sum()) > 1:
        factor = float((got[there] / expected[there]).median())
        if _is_simple(factor) and _same(got, factor * expected):
            yield f"{name} is {factor:.4g} times the expected one."
            return
    if _same(got, torch.zeros(())):
        yield f"{name} is 0 everywhere."
        return
    amount = float((got - expected).median())
    if abs(amount) > ROUGH and _same(got, expected + amount):
        size = f"{abs(amount):.4g} too {'large' if amount > 0 else 'small'}"
        yield f"{name} is {size} everywhere."


def _is_simple(factor: float) -> bool:
    """Return whether a factor or its square is a simple fraction: others may be chance."""
    if not ROUGH < abs(factor) < 1 / NEAR:
        return False
    sizes = [n * size for size in (factor, factor**2) for n in (1, 2, 3, 4)]
    return any(abs(size - round(size)) < NEAR for size in sizes)


def _are_shares(*tensors: Tensor) -> bool:
    return all(bool((t >= 0).all()) and _same(t.sum(-1), torch.ones(())) for t in tensors)


def _is_one_hot(x: Tensor) -> bool:
    """Return whether token i has a single 1, at position i."""
    return torch.equal(x, torch.eye(x.shape[-1], dtype=x.dtype).expand(x.shape))


def _at(place: Sequence[int], tensor: Tensor) -> str:
    *sequence, row = place
    return row_name(sequence, row, tensor.shape[:-2])


def row_name(sequence: Sequence[int], row: int, leading: Sequence[int]) -> str:
    """Name a row, and its sequence if the batch, whose sizes are `leading`, has several."""
    return f"Row {row} of sequence {_number(sequence)}" if math.prod(leading) > 1 else f"Row {row}"


def _number(sequence: Sequence[int]) -> str:
    """Name a sequence by its number, or by its place in a batch of several dimensions."""
    return str(sequence[0]) if len(sequence) == 1 else str(list(sequence))


def _same(one: Tensor, other: Tensor) -> bool:
    """Return whether tensors agree except for rounding; `other` may be a single number."""
    if other.dim() and one.shape != other.shape:
        return False
    return bool(((one.double() - other.double()).abs() <= NEAR * (1 + other.abs())).all())
