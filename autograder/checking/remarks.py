"""What can be said in words of a wrong result, where the numbers prove it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from autograder.client import Input

NEAR = 1e-6  # as far apart are numbers that count as the same here
ROUGH = 1e-2  # differences that are worth a word


@dataclass(frozen=True, eq=False)
class Result:
    """One result of a call that is not as expected.

    name: of several results, which. apart: where the numbers differ; None if the shape does.
    shares: are its rows to sum to 1, whatever is asked?
    """

    name: str
    expected: Tensor
    got: Tensor
    apart: Tensor | None
    shares: bool

    @property
    def gap(self) -> float:
        """The largest difference; infinite where shapes differ, or numbers are not finite."""
        if self.apart is None:
            return float("inf")
        return float((self.got - self.expected).abs().nan_to_num(nan=float("inf")).max())


def shares(answers: Sequence[Sequence[Tensor]]) -> list[bool]:
    """For each of the results, whether its rows sum to 1 in every answer: attention weights do."""
    return [
        all(
            part.dim() > 1 and bool((part >= 0).all()) and _same(part.sum(-1), torch.ones(()))
            for part in parts
        )
        for parts in zip(*answers, strict=True)
    ]


def order(answers: Sequence[Sequence[Sequence[Tensor]]]) -> str:
    """How rows of right answers depend on each other: "past", "none", or "" for anything else.

    answers: to a question, and where it has several rows, to the same with its last row changed,
    and with its first. "past": a row depends on those before it, and on none behind it, whatever
    is asked; "none": on itself only.
    """
    several = [calls for calls in answers if len(calls) > 1]
    if not several or any(part.dim() < 2 for calls in several for part in calls[0]):
        return ""
    if any(moves(first, behind, 0) for first, behind, _ in several):
        return ""
    return "past" if any(moves(first, before, -1) for first, _, before in several) else "none"


def moves(first: Sequence[Tensor], changed: Sequence[Tensor], row: int) -> bool:
    """Does this row differ between two answers of the same shapes?"""
    pairs = zip(first, changed, strict=True)
    return any(not _same(one[..., row, :], other[..., row, :]) for one, other in pairs)


def future(inputs: Sequence[Input], simple: bool, result: Result) -> tuple[str, int, int] | None:
    """That a row looked at a position behind it, where that can be read off: the words, the row
    and the position.

    For rows that depend on those before them only. The weights are the result itself, or the rows
    of mixed values that can be told apart: tokens with a single 1, that the weights leave alone.
    The words are true if the row changes with that position of the input, which is to be asked.
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
        row, column = place[-2:]
        words = f"{_at(place[:-1], got)} looked at position {column}, which lies in its future"
        weight = f", with weight {float(got[tuple(place)]):.4g}" if result.shares else ""
        return f"{words}{weight}.", row, column
    return None


def of(inputs: Sequence[Input], results: Sequence[Result]) -> list[str]:
    """What is true of the wrong results as a whole, the most telling first."""
    said = []
    for result in results:
        name = result.name.capitalize() or "The result"
        said += list(_of_shape(name, result) if result.apart is None else _of(name, result, inputs))
    return _exchanged(results) or said


def _exchanged(results: Sequence[Result]) -> list[str]:
    for i, one in enumerate(results):
        for other in results[i + 1 :]:
            pairs = ((one.got, other.expected), (other.got, one.expected))
            if all(_same(got, expected) for got, expected in pairs):
                return [f"{one.name.capitalize()} and {other.name} are exchanged."]
    return []


def _of_shape(name: str, result: Result) -> Iterator[str]:
    got, expected = result.got, result.expected
    text = f"{name} has shape {tuple(got.shape)}, not {tuple(expected.shape)}"
    same = got.numel() == expected.numel() > 1 and _same(got.flatten(), expected.flatten())
    yield f"{text}; the numbers are right, in the right order." if same else f"{text}."


def _of(name: str, result: Result, inputs: Sequence[Input]) -> Iterator[str]:
    got, expected = result.got, result.expected
    if not got.isfinite().all():
        return
    if result.shares:
        yield from _of_sums(result)
    if got.numel() < 2:
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
        yield from _of_size(name, got, expected)


def _of_sums(result: Result) -> Iterator[str]:
    sums = result.got.sum(-1)
    for place in ((sums - 1).abs() > ROUGH).nonzero().tolist():
        yield f"{_at(place, result.got)} sums to {float(sums[tuple(place)]):.4g}, not 1."
        return


def _of_size(name: str, got: Tensor, expected: Tensor) -> Iterator[str]:
    """That all numbers are too large by the same factor, or by the same amount."""
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
    """Is it, or its square, a fraction with a small denominator? Others come by chance."""
    if not ROUGH < abs(factor) < 1 / NEAR:
        return False
    sizes = [n * size for size in (factor, factor**2) for n in (1, 2, 3, 4)]
    return any(abs(size - round(size)) < NEAR for size in sizes)


def _are_shares(*tensors: Tensor) -> bool:
    return all(bool((t >= 0).all()) and _same(t.sum(-1), torch.ones(())) for t in tensors)


def _is_one_hot(x: Tensor) -> bool:
    """Has token i a single 1, in place i?"""
    return torch.equal(x, torch.eye(x.shape[-1], dtype=x.dtype).expand(x.shape))


def _at(place: Sequence[int], tensor: Tensor) -> str:
    """A row in words: of a batch of several, also which sentence's."""
    *batch, row = place
    several = batch and tensor.shape[:-2].numel() > 1
    return f"Row {row} of sequence {batch[-1]}" if several else f"Row {row}"


def _same(one: Tensor, other: Tensor) -> bool:
    """The same numbers, but for rounding; in one shape, or compared with a single number."""
    if other.dim() and one.shape != other.shape:
        return False
    return bool(((one.double() - other.double()).abs() <= NEAR * (1 + other.abs())).all())
