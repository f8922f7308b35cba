"""The beginning of one check, which all misconceptions can be asked, and what it tells of pairs.

From what the single ones answer it can be said which pairs are likely: two mistakes change a
number by about the sum of what each changes it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import torch
from torch import Tensor

from autograder.client import Step
from autograder.diagnosis.trace import Answer, effort, pace

MORE = {"build": 2, "take": 2, "operations": 4, "move": 4, "rounds": 4}  # effort, to be done here
MISSING = 1e3  # stands for a number that is not there: an error, or another shape


@dataclass(frozen=True)
class Probe:
    """What a check asks, and what the reference and a submission answer.

    chance: of the first so many answers, the places of those that do not count.
    """

    check: str
    steps: Sequence[Step]
    right: Sequence[Answer]
    left: Sequence[Answer]
    chance: Callable[[int], frozenset[int]]

    @cached_property
    def random(self) -> frozenset[int]:
        """The places of answers that do not count."""
        return self.chance(len(self.steps))

    @property
    def work(self) -> int:
        """About how much there is to do for its answers, in units of 10 µs: to build a model, or to
        watch its operations, is as much as to call it often."""
        more = sum(MORE.get(step["do"], 0) for step in self.steps)
        return 12 + pace(self.steps) * (more + sum(map(effort, self.steps)))

    def cut(self, rivals: Sequence[Sequence[Answer]]) -> Probe | None:
        """Its beginning, up to the first answer that no rival gives, if there is one. Where only
        the reference is a rival, an answer in numbers, which tell most of the misconceptions."""
        for i, left in enumerate(self.left[: len(self.right)]):
            given = [answers[i] for answers in rivals if i < len(answers)]
            tells = len(rivals) > 1 or len(self.right[i].numbers) or len(left.numbers)
            if tells and not any(map(left.is_like, given)) and i not in self.chance(i + 1):
                return self._first(i + 1)
        return None

    def opening(self) -> Probe | None:
        """Its beginning, up to the first numbers, if all that is as in the reference."""
        told = (
            i for i, a in enumerate(self.right) if len(a.numbers) and i not in self.chance(i + 1)
        )
        begun = self._first(next(told, -1) + 1)
        return begun if begun.steps and begun.first_unlike(begun.right) is None else None

    def mend(self, one: Sequence[Answer], other: Sequence[Answer]) -> bool:
        """Return whether a number is right that each of two mistakes alone makes wrong, or there at
        all: what mends the other is hardly a mistake of its own."""
        for i, answers in enumerate(zip(self.right, self.left, one, other, strict=False)):
            if i in self.random:
                continue
            right, left, *alone = answers
            if len(right.numbers) and len(left.numbers) and not any(len(a.numbers) for a in alone):
                return True
            if len({answer.form for answer in answers}) == 1:
                _, changed, *changed_alone = _changes(answers)
                if ((changed == 0) & (changed_alone[0] != 0) & (changed_alone[1] != 0)).any():
                    return True
        return False

    def _first(self, count: int) -> Probe:
        return replace(
            self, steps=self.steps[:count], right=self.right[:count], left=self.left[:count]
        )

    def first_unlike(self, answers: Iterable[Answer]) -> int | None:
        """The place of the first of these answers that is not the submission's, if there is one."""
        pairs = enumerate(zip(answers, self.left, strict=False))
        unlike = (i for i, (ours, theirs) in pairs if not ours.is_like(theirs))
        return next((i for i in unlike if i not in self.random), None)


def ranked(probe: Probe, singles: Sequence[Sequence[Answer]]) -> list[tuple[int, int]]:
    """The pairs of some that gave these answers, as indices; the likeliest come first."""
    rows = [probe.right, probe.left, *singles]
    pairs = torch.combinations(torch.arange(len(singles)))
    unlike = torch.zeros(len(pairs), dtype=torch.float64)
    for i, answer in enumerate(probe.right):
        given = [row[i] if i < len(row) else None for row in rows]
        tells = len(answer.numbers) or len({one and one.form for one in given}) > 1
        if tells and i not in probe.random:
            unlike += _forms(given, pairs) + _numbers(answer, given, pairs)
    order = torch.argsort(unlike, stable=True)
    return [(i, j) for i, j in pairs[order].tolist()]


def _forms(given: Sequence[Answer | None], pairs: Tensor) -> Tensor:
    """0 where the form of a submission's answer is to be expected of a pair, else up to 1."""
    forms = [answer.form if answer else "" for answer in given]
    codes = torch.tensor([forms.index(form) for form in forms])
    right, left, (one, other) = codes[0], codes[1], codes[2:][pairs].T
    expected = torch.where(one == right, other, one)
    both = (one != right) & (other != right) & (left != one) & (left != other)
    is_one = (left == expected) | ((one != right) & (left == other))
    return torch.where(both, 0.5, torch.where(is_one, 0.0, 1.0)).double()


def _numbers(right: Answer, given: Sequence[Answer | None], pairs: Tensor) -> Tensor:
    """Of each pair, in how many numbers the submission's is not what both mistakes lead to."""
    changes = _changes([right, *given[1:]])
    left, (one, other) = changes[1], changes[2:][pairs].unbind(1)
    gap = (left - one - other).abs()
    gap = torch.where(gap <= 2 * _room(right), 0.0, gap)
    share = gap / (one.abs() + other.abs()).clamp(min=1e-300)
    alone = (one == 0) | (other == 0)
    return torch.where(alone, (gap > 0).double(), share.clamp(max=1.0) / 4).sum(dim=1)


def _changes(given: Sequence[Answer | None]) -> Tensor:
    """How far the numbers of some answers, in rows, are from those of the first, the right one: 0
    where only rounding is between them."""
    right = given[0]
    assert right
    missing = torch.full((len(right.numbers),), torch.nan, dtype=torch.float64)
    numbers = torch.stack(
        [a.numbers if a and len(a.numbers) == len(missing) else missing for a in given]
    ).nan_to_num(MISSING, MISSING, -MISSING)
    changes = numbers - numbers[0]
    return torch.where(changes.abs() <= _room(right), 0.0, changes)


def _room(right: Answer) -> Tensor:
    """What rounding may put between a number and the right one."""
    return right.room * (1 + right.numbers.nan_to_num(MISSING, MISSING, -MISSING).abs())
