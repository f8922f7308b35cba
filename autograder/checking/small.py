"""Make the smallest questions about an exercise: few tokens, small whole numbers."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import torch
from torch import Tensor

from autograder.checking.draw import Draw
from autograder.checking.tolerance import Operation, scores
from autograder.checking.trial import Trial
from autograder.client import Client, Input, ReferenceFailed

Sizes = tuple[tuple[int, ...], ...]
Shrink = Callable[[int], int]
SHIFTS = ("bias", "beta")  # added parameters, which are 0 in the simplest weights
LARGEST = 4  # largest size; 3 could not be divided among two heads
SCORES = 64.0  # largest intermediate numbers with inputs of scale 1
WIDE = 30  # larger scale, for mistakes that show only if scores are far apart
FAR = 3000  # for those that show only if scores are far below or above a finite mask
WHOLE = torch.tensor([-1.0, 1.0, 2.0], dtype=torch.float64)  # no 0, which would hide mistakes


@dataclass(frozen=True, eq=False)
class SmallQuestion:
    """One small question: a trial of small sizes, the weights to load and the inputs of one call.

    simple: matrices are the identity, gains 1 and shifts 0. largest: about the largest
    intermediate number.
    """

    trial: Trial
    inputs: tuple[Input, ...]
    weights: Mapping[str, Tensor]
    simple: bool
    largest: float

    @property
    def rank(self) -> tuple[bool, bool, float, int, int]:
        """Return the sort key: sizes above 2, biases, largest number, count of numbers, dimensions.

        A function gets projections with biases last: they are more to read and to paste.
        """
        tensors = [x for x in self.inputs if isinstance(x, Tensor)]
        above = any(size > 2 for tensor in tensors for size in tensor.shape)
        count, dims = (
            sum(each) for each in zip(*((t.numel(), t.dim()) for t in tensors), strict=True)
        )
        return above, self.trial.biased, self.largest, count, dims

    @property
    def operation(self) -> Operation:
        """Return the call, for the tolerance."""
        return self.trial.with_condition(scores(self.largest)).operation(self.inputs, self.weights)


@dataclass(frozen=True)
class _Numbers:
    """The seeds of a question's numbers; an empty seed gives ones and zeros."""

    inputs: str
    weights: str
    scale: int = 1


NUMBERS = (
    _Numbers("", ""),
    _Numbers("first", ""),
    _Numbers("first", "first"),
    _Numbers("second", "second"),
    _Numbers("first", "first", WIDE),
    _Numbers("first", "first", FAR),
)
OF_TOKENS = tuple(n for n in NUMBERS if n.scale == 1)  # token ids cannot be scaled


def questions(trial: Trial, reference: Callable[[], Client]) -> list[SmallQuestion]:
    """Return the small questions about an exercise, the smallest first; deterministic.

    trial: one whose sizes all differ. reference: begins a conversation with it. First all sizes
    become 1, then they become 2 one after the other, from the largest on, then those the exercise
    is built with become up to 4, and finally the number of tokens too. The order of sizes is kept,
    so that a sentence still fits a context. Sizes with which the reference cannot be built are
    left out.
    """
    cases = list(trial.cases(Draw("")).values())  # only their types and shapes matter
    client = reference()
    seen: set[tuple[object, ...]] = set()
    found: list[SmallQuestion] = []
    varied = NUMBERS if any(map(_is_real, cases[0])) else OF_TOKENS
    for shrink, batch in _shrinkings(trial, cases):
        plain = _shrunk(trial, shrink)
        for small in (plain, plain.with_bias()) if plain.projections else (plain,):
            try:
                shapes = small.shapes_in(client)
            except ReferenceFailed:  # it ends the conversation
                client = reference()
                continue
            numbers = [
                n
                for n in varied
                if (n.weights or not small.biased) and (shapes or n.inputs == n.weights)
            ]
            for inputs in cases:
                sizes = tuple(_size(x, shrink, batch) for x in inputs)
                key = (small.arguments, str(small.projections), small.biased, sizes)
                if key not in seen:
                    seen.add(key)
                    found += [_filled(small, inputs, sizes, shapes, each) for each in numbers]
    return sorted(found, key=lambda small: small.rank)


def _is_real(x: Input) -> bool:
    return isinstance(x, Tensor) and x.is_floating_point()


def _shrinkings(trial: Trial, cases: list[tuple[Input, ...]]) -> Iterator[tuple[Shrink, int]]:
    """Yield ways to shrink a size, each with the largest batch size."""
    built = {n for n in trial.arguments if type(n) is int}
    built |= {n for pair in (trial.projections or {}).values() for n in pair}
    found = {n for inputs in cases for x in inputs if isinstance(x, Tensor) for n in x.shape}
    for two in (math.inf, *sorted((built | found) - {1}, reverse=True)):
        yield partial(_one_or_two, two), 2
    yield lambda n: min(n, LARGEST if n in built else 2), 2
    yield partial(min, LARGEST), 1


def _one_or_two(two: float, n: int) -> int:
    """Return 2 for sizes from `two` on, 1 for smaller ones."""
    return 2 if n >= two else 1


def _shrunk(trial: Trial, shrink: Shrink) -> Trial:
    arguments = tuple(shrink(n) if type(n) is int else n for n in trial.arguments)
    if trial.projections is None:
        return replace(trial, arguments=arguments)
    pairs = {name: (shrink(m), shrink(n)) for name, (m, n) in trial.projections.items()}
    return replace(trial, arguments=arguments, projections=pairs)


def _size(x: Input, shrink: Shrink, batch: int) -> tuple[int, ...]:
    """Return the shrunk shape of an input, () for a plain number."""
    if not isinstance(x, Tensor):
        return ()
    leading, own = x.shape[: -_own(x)], x.shape[-_own(x) :]
    return (*(min(shrink(n), batch) for n in leading), *map(shrink, own))


def _own(x: Tensor) -> int:
    """Return how many dimensions a sequence has: (T, d), or (T,) of token ids."""
    return 2 if x.is_floating_point() else 1


def _tokens(x: Input, size: tuple[int, ...]) -> int:
    """Return the number of tokens of an input of this size."""
    return size[-_own(x) :][0] if isinstance(x, Tensor) else 1


def _filled(
    small: Trial,
    pattern: tuple[Input, ...],
    sizes: Sizes,
    shapes: Mapping[str, tuple[int, ...]],
    numbers: _Numbers,
) -> SmallQuestion:
    draw, other = Draw(f"inputs {numbers.inputs}"), Draw(f"weights {numbers.weights}")
    tokens = next((_tokens(x, size) for x, size in zip(pattern, sizes, strict=True) if size), 1)
    inputs = tuple(
        _input(like, size, tokens, small.arguments, numbers, draw)
        for like, size in zip(pattern, sizes, strict=True)
    )
    weights = {name: _weight(name, shape, numbers, other) for name, shape in shapes.items()}
    return SmallQuestion(small, inputs, weights, not numbers.weights, SCORES * numbers.scale)


def _input(
    like: Input,
    size: tuple[int, ...],
    tokens: int,
    arguments: tuple[Any, ...],
    numbers: _Numbers,
    draw: Draw,
) -> Input:
    if isinstance(like, int):  # the index of a token
        return min(like, tokens - 1)
    if not like.is_floating_point():  # token ids; the first argument is their number
        return draw.integers(arguments[0], *size)
    if not numbers.inputs:
        return _one_hot(size)
    return _whole(draw, size) * numbers.scale


def _weight(name: str, shape: tuple[int, ...], numbers: _Numbers, draw: Draw) -> Tensor:
    if numbers.weights:
        return _whole(draw, shape)
    if len(shape) > 1:
        return _one_hot(shape)
    return torch.full(shape, float(name.rpartition(".")[2] not in SHIFTS)).double()


def _whole(draw: Draw, shape: tuple[int, ...]) -> Tensor:
    """Return whole numbers of both signs."""
    return WHOLE[draw.integers(len(WHOLE), *shape)]


def _one_hot(shape: tuple[int, ...]) -> Tensor:
    """Return rows with a single 1, at a different position in each as far as possible."""
    *leading, rows, columns = (1, 1, *shape)
    places = torch.arange(rows) % columns
    ones = torch.eye(columns).double()[places]
    return ones.expand(*leading, rows, columns).reshape(shape).clone()
