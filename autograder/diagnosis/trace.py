"""What a submission leaves of itself in a check: its answers, in a form that can be compared."""

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

from autograder.client import Client, Layout, Step
from autograder.grading.inquiry import Finding

OF_NUMBERS = frozenset({"wrong values", "wrong gradient", "wrong shape", "raised an error"})
OWN = re.compile(r"`[^`]*`|[\d.]+")  # operations and numbers
UNSAID = frozenset({"operations", "move"})  # how many, and by which names, is a matter of style
# How far apart the same numbers may be, relative to their size: far more than tolerance.allowed,
# for which a trace would have to keep inputs, since mistakes differ in more than digits.
EXACT, SINGLE = 1e-7, 1e-3
TRAINED = 1e-5  # and losses, which make more of every rounding with each step
# What rounding alone may put between the same numbers, relative to their size. A larger distance
# from the reference has a cause, and a misconception has to explain nearly all of it.
NOISE = {EXACT: 1e-9, SINGLE: 1e-5, TRAINED: 1e-5}
UNEXPLAINED = 0.1  # of the largest distance from the reference, at most
OTHER_LAYOUT = "other weight layout"  # the category of a check that has found one
NO_WORK = frozenset({"train", "seed"})
DEEPEST = 8  # lists in lists that are looked into
SAMPLES = 12  # numbers that are kept of an answer, besides their sum
NOTHING = torch.empty(0, dtype=torch.float64)


@dataclass(frozen=True, eq=False)
class Answer:
    """One answer. form: a digest of all of it but the numbers in its tensors.

    numbers: some of those, and their sum. room: how far from them others may be, relative to their
    size. limit: how far at most, all but the sum.
    """

    form: str
    numbers: Tensor
    room: float
    limit: float = math.inf

    def is_like(self, other: Answer) -> bool:
        """The same, but for rounding."""
        if self.form != other.form or len(self.numbers) != len(other.numbers):
            return False
        room, limit = max(self.room, other.room), min(self.limit, other.limit)
        pairs = list(zip(self.numbers.tolist(), other.numbers.tolist(), strict=True))
        if not all(_is_close(one, other, room) for one, other in pairs):
            return False
        return limit == math.inf or _largest_gap(pairs[:-1]) <= limit

    def beside(self, right: Answer) -> Answer:
        """This answer with a limit: a tenth of its distance from the right one, or rounding.

        Another answer that is about as far from this one as the right one is would explain nothing.
        """
        if self.form != right.form or len(self.numbers) != len(right.numbers):
            return self
        pairs = list(zip(self.numbers.tolist(), right.numbers.tolist(), strict=True))[:-1]
        largest = max((abs(b) for _, b in pairs if math.isfinite(b)), default=0.0)
        noise, gap = NOISE[self.room] * (1 + largest), _largest_gap(pairs)
        return replace(self, limit=max(noise, UNEXPLAINED * gap))


def _largest_gap(pairs: Iterable[tuple[float, float]]) -> float:
    """The largest distance in some pairs of numbers, of those that are finite."""
    gaps = (abs(one - other) for one, other in pairs)
    return max((gap for gap in gaps if math.isfinite(gap)), default=0.0)


def _is_close(one: float, other: float, room: float) -> bool:
    """As torch.allclose says, which takes ten times as long for so few numbers."""
    if one == other or (math.isnan(one) and math.isnan(other)):
        return True
    return abs(one - other) <= room * (1 + abs(other)) < math.inf


@dataclass(frozen=True)
class Trace:
    """The answers in one check, and its outcome: nothing if it passed, else a fixed phrase.

    said: what the check says of it, where it is not about numbers, without numbers and names of
    operations. work: about how much had to be done for it, in units of 10 µs. size: how many
    numbers were sent up to the first call, the weights of a model above all. layout: that it was
    put in.
    """

    category: str
    said: str
    answers: tuple[Answer, ...]
    work: int = 0
    size: int = 0
    layout: Layout | None = None

    @property
    def plain(self) -> bool:
        """Was it put with the weights packed as stated?"""
        return self.layout is not None and not self.layout.packing

    @property
    def is_unplaced(self) -> bool:
        """Of a check that has failed, and has found no layout of weights."""
        return self.category not in ("", OTHER_LAYOUT)

    def is_like(self, other: Trace, but: frozenset[int]) -> bool:
        """The same outcome and answers, but for the answers at these places."""
        if (self.category, self.said) != (other.category, other.said):
            return False
        if len(self.answers) != len(other.answers):
            return False
        pairs = enumerate(zip(self.answers, other.answers, strict=True))
        return all(i in but or ours.is_like(theirs) for i, (ours, theirs) in pairs)

    def tells(self, right: Sequence[Answer], but: frozenset[int]) -> bool:
        """Did the check pass, or is one of the answers, but for these, unlike the right one?

        Where only random answers are wrong, they alone can tell one mistake from another.
        """
        if not self.category or len(self.answers) != len(right):
            return True
        pairs = enumerate(zip(self.answers, right, strict=True))
        return any(i not in but and not ours.is_like(theirs) for i, (ours, theirs) in pairs)

    def beside(self, right: Sequence[Answer]) -> Trace:
        """This trace, each answer beside the right one, as far as there is one."""
        pairs = zip_longest(self.answers, right[: len(self.answers)])
        answers = (ours.beside(theirs) if theirs else ours for ours, theirs in pairs)
        return replace(self, answers=tuple(answers))


def trace(finding: Finding, course: Client) -> Trace:
    """The trace of the check that was put to a course, and of which this was found."""
    said = "" if finding.category in OF_NUMBERS else OWN.sub("", finding.message)
    answers = tuple(answered(*asked) for asked in course.transcript())
    steps = course.steps()
    first = next((i for i, step in enumerate(steps, 1) if step["do"] == "call"), len(steps))
    size = sum(map(_numbers, steps[:first]))
    work = finding.layouts * pace(steps) * sum(map(effort, steps))
    return Trace(finding.category, said, answers, work, size, course.layout)


def answered(verb: str, answer: Any) -> Answer:
    """What is kept of the answer to a step, which may be anything: no check need have read it."""
    tensors: list[Tensor] = []
    form: tuple[Any, ...]
    match answer:
        case {"problem": {"kind": str(kind), "type": str(name), "text": str(text)}}:
            form = ("problem", kind, name, text)
        case {"value": dict()} if verb == "buffers":  # a check tells if one is wrong
            form = ()
        case {"value": (int() | list()) as found} if verb in UNSAID:
            form = (bool(found),)
        case {"value": value}:
            flat: list[Any] = []
            _flatten(value, flat, tensors)
            form = tuple(flat)
        case _:
            form = ("garbled",)
    if verb == "state":  # a row of numbers may be kept as (n,) or (1, n)
        form = tuple(item for item in form if not isinstance(item, tuple))
    single = any(t.dtype in (torch.float32, torch.float16, torch.bfloat16) for t in tensors)
    said = repr((verb, *form)).encode(errors="replace")
    digest = hashlib.blake2b(said, digest_size=8).hexdigest()
    room = SINGLE if single else TRAINED if verb == "descend" else EXACT
    return Answer(digest, _sample(tensors), room)


def effort(step: Step) -> int:
    """How much has to be done for a step; a call counts as 1."""
    if step["do"] in NO_WORK:
        return 0
    steps: int = step.get("steps", 0)
    return 10 * steps or (4 if step.get("gradient") else 1)


def pace(steps: Sequence[Step]) -> int:
    """The work of a call in this conversation, in units of 10 µs: more where weights are many."""
    named = [step.get("weights") or step.get("projections") or () for step in steps]
    return 15 + max(map(len, named), default=0)


def _numbers(step: Step) -> int:
    given = [*step.get("inputs", ()), *step.get("weights", {}).values()]
    return sum(tensor.numel() for tensor in given if isinstance(tensor, Tensor))


def _flatten(value: Any, form: list[Any], tensors: list[Tensor], depth: int = DEEPEST) -> None:
    """Add a value to a form, with the shapes of tensors in place of their numbers."""
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
    return torch.cat([numbers[::every], numbers.sum().reshape(1)])
