"""Traces: a submission's answers to a check, in a form that can be compared."""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any

import torch
from torch import Tensor

from autograder.client import Client, Layout
from autograder.grading.runner import CheckRun
from autograder.runtime.questions import (
    Buffers,
    Call,
    CallStep,
    Descend,
    Held,
    Load,
    Move,
    Operations,
    Seed,
    State,
    Step,
    Take,
    Train,
)

OF_NUMBERS = frozenset({"wrong values", "wrong gradient", "wrong shape", "raised an error"})
OWN = re.compile(r"`[^`]*`|[\d.]+")  # operations and numbers, which differ between submissions
STYLE = Operations, Held, Move  # steps whose counts and names depend on style only
# Relative differences that still count as equal. They are far larger than tolerance.allowed, which
# would need the inputs; mistakes differ by more than digits.
EXACT, SINGLE = 1e-7, 1e-3
TRAINED = 1e-5  # for losses: each step of a training amplifies rounding errors
# Relative differences that rounding alone may cause. A larger distance from the reference has a
# cause, and a misconception has to explain nearly all of it.
NOISE = {EXACT: 1e-9, SINGLE: 1e-5, TRAINED: 1e-5}
UNEXPLAINED = 0.1  # largest share of the distance from the reference to leave unexplained
OTHER_LAYOUT = "other weight layout"  # the category of a check that found one
DEEPEST = 8  # levels of nested lists to compare
SAMPLES = 12  # numbers to keep of an answer, in addition to their sum
NOTHING = torch.empty(0, dtype=torch.float64)


@dataclass(frozen=True, eq=False)
class Answer:
    """One answer to a step, reduced to what is compared.

    form: a digest of everything except the numbers in tensors, and of whether all of these are
    finite. numbers: a sample of them, and the sum of all finite ones. tolerance: relative
    difference that counts as equal. limit: largest absolute difference of all numbers except the
    sum.
    """

    form: str
    numbers: Tensor
    tolerance: float
    limit: float = math.inf

    def is_like(self, other: Answer) -> bool:
        """Return whether two answers are equal except for rounding."""
        if self.form != other.form or len(self.numbers) != len(other.numbers):
            return False
        tolerance, limit = max(self.tolerance, other.tolerance), min(self.limit, other.limit)
        pairs = list(zip(self.numbers.tolist(), other.numbers.tolist(), strict=True))
        if not all(_is_close(one, other, tolerance) for one, other in pairs):
            return False
        return limit == math.inf or _largest_gap(pairs[:-1]) <= limit

    def limited_by(self, right: Answer) -> Answer:
        """Return this answer with a limit: a tenth of its distance from the right one, or rounding.

        An answer about as far from this one as the right one is would explain nothing.
        """
        if self.form != right.form or len(self.numbers) != len(right.numbers):
            return self
        pairs = list(zip(self.numbers.tolist(), right.numbers.tolist(), strict=True))[:-1]
        largest = max((abs(b) for _, b in pairs if math.isfinite(b)), default=0.0)
        noise, gap = NOISE[self.tolerance] * (1 + largest), _largest_gap(pairs)
        return replace(self, limit=max(noise, UNEXPLAINED * gap))


def _largest_gap(pairs: Iterable[tuple[float, float]]) -> float:
    """Return the largest distance within pairs of numbers; infinite ones and NaN do not count."""
    gaps = (abs(one - other) for one, other in pairs)
    return max((gap for gap in gaps if math.isfinite(gap)), default=0.0)


def _is_close(one: float, other: float, tolerance: float) -> bool:
    """Do what torch.allclose does, ten times as fast for few numbers."""
    if one == other or (math.isnan(one) and math.isnan(other)):
        return True
    return abs(one - other) <= tolerance * (1 + abs(other)) < math.inf


@dataclass(frozen=True)
class Trace:
    """The outcome of one check and the answers to it.

    category: "" if the check passed, else a fixed phrase. said: the message, unless it is about
    numbers; without numbers and names of operations. work: rough cost of the check, in units of
    10 µs. size: count of the numbers sent up to the first call, mainly weights. layout: the weight
    layout that was used.
    """

    category: str
    said: str
    answers: tuple[Answer, ...]
    work: int = 0
    size: int = 0
    layout: Layout | None = None

    @property
    def has_standard_layout(self) -> bool:
        """Return whether the weights were packed as the statement says."""
        return self.layout is not None and not self.layout.packing

    @property
    def found_no_layout(self) -> bool:
        """Return whether the check failed without finding another weight layout."""
        return self.category not in ("", OTHER_LAYOUT)

    def is_like(self, other: Trace, ignored: frozenset[int]) -> bool:
        """Return whether outcome and answers agree. ignored: indices of answers that may differ."""
        if (self.category, self.said) != (other.category, other.said):
            return False
        if len(self.answers) != len(other.answers):
            return False
        pairs = enumerate(zip(self.answers, other.answers, strict=True))
        return all(i in ignored or ours.is_like(theirs) for i, (ours, theirs) in pairs)

    def is_informative(self, right: Sequence[Answer], ignored: frozenset[int]) -> bool:
        """Return whether the check passed or an answer, except the ignored ones, is wrong.

        If only random answers are wrong, they are the only evidence.
        """
        if not self.category or len(self.answers) != len(right):
            return True
        pairs = enumerate(zip(self.answers, right, strict=True))
        return any(i not in ignored and not ours.is_like(theirs) for i, (ours, theirs) in pairs)

    def limited_by(self, right: Sequence[Answer]) -> Trace:
        """Return this trace with each answer limited by the right one, where there is one."""
        pairs = zip_longest(self.answers, right[: len(self.answers)])
        answers = (ours.limited_by(theirs) if theirs else ours for ours, theirs in pairs)
        return replace(self, answers=tuple(answers))


def trace(run: CheckRun, client: Client) -> Trace:
    """Return the trace of a check. client: the one through which it was run."""
    said = "" if run.category in OF_NUMBERS else OWN.sub("", run.message)
    answers = tuple(answered(*asked) for asked in client.transcript())
    steps = client.steps()
    first = next((i for i, step in enumerate(steps, 1) if isinstance(step, Call)), len(steps))
    size = sum(map(_numbers, steps[:first]))
    work = run.layouts * pace(steps) * sum(map(effort, steps))
    return Trace(run.category, said, answers, work, size, client.layout)


def answered(step: Step, answer: Any) -> Answer:
    """Reduce the answer to a step to what is compared. It may be anything: it is not validated."""
    tensors: list[Tensor] = []
    form: tuple[Any, ...]
    match answer:
        case {"problem": {"kind": str(kind), "type": str(name), "text": str(text)}}:
            form = ("problem", kind, name, text)
        case {"value": dict()} if isinstance(step, Buffers):
            form = ()  # checks judge buffers; mistakes may share them
        case {"value": (int() | list()) as found} if isinstance(step, STYLE):
            form = (bool(found),)
        case {"value": value}:
            flat: list[Any] = []
            _flatten(value, flat, tensors)
            form = tuple(flat)
        case _:
            form = ("garbled",)
    if isinstance(step, State):  # the shape is free: (n,) or (1, n)
        form = tuple(item for item in form if not isinstance(item, tuple))
    single = any(t.dtype in (torch.float32, torch.float16, torch.bfloat16) for t in tensors)
    finite = all(bool(tensor.isfinite().all()) for tensor in tensors)
    said = repr((type(step).__name__, *form, finite)).encode(errors="replace")
    digest = hashlib.blake2b(said, digest_size=8).hexdigest()
    tolerance = SINGLE if single else TRAINED if isinstance(step, Descend) else EXACT
    return Answer(digest, _sample(tensors), tolerance)


def effort(step: Step) -> int:
    """Return the rough cost of a step, relative to that of a call."""
    match step:
        case Train() | Seed():
            return 0
        case Descend(steps=steps):
            return 10 * steps or 1
        case Call(gradient=True):
            return 4
    return 1


def pace(steps: Sequence[Step]) -> int:
    """Return the work of a call in a conversation, in units of 10 µs: it grows with the weights."""
    return 15 + max(map(_parameters, steps), default=0)


def _parameters(step: Step) -> int:
    """Return the number of parameters that a step sets or makes."""
    match step:
        case Load():
            return len(step.weights)
        case Take():
            return len(step.projections)
    return 0


def _numbers(step: Step) -> int:
    match step:
        case Load():
            return sum(weight.numel() for weight in step.weights.values())
        case CallStep():
            return sum(x.numel() for x in step.inputs if isinstance(x, Tensor))
    return 0


def _flatten(value: Any, form: list[Any], tensors: list[Tensor], depth: int = DEEPEST) -> None:
    """Add a value to a form, with the shapes of tensors instead of their numbers."""
    match value:
        case str() | int():
            form.append(value)
        case dict() | list() if not depth:
            form.append("deeper than any answer")
        case Tensor():
            tensors.append(value)
            form.append(tuple(value.shape))
        case float():
            tensors.append(torch.tensor(value, dtype=torch.float64))
        case dict():
            for key in sorted(value):
                form.append(key)
                _flatten(value[key], form, tensors, depth - 1)
        case list():
            form.append(len(value))
            for item in value:
                _flatten(item, form, tensors, depth - 1)
        case _:
            form.append(value)


def _sample(tensors: list[Tensor]) -> Tensor:
    if not tensors:
        return NOTHING
    numbers = torch.cat([tensor.double().flatten() for tensor in tensors])
    every = max(1, -(-numbers.numel() // SAMPLES))
    finite = numbers[numbers.isfinite()]  # a sum with NaN would tell nothing of the others
    return torch.cat([numbers[::every], finite.sum().reshape(1)])
