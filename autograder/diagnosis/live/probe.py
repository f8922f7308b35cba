"""Probes: beginnings of checks that are put to misconceptions, and which pairs they make likely.

The answers of single misconceptions tell which pairs are likely: two mistakes change a number by
about the sum of their changes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import torch
from torch import Tensor

from autograder.diagnosis.trace import Answer, effort, pace
from autograder.runtime.questions import Build, Move, Operations, Rounds, Step, Take

MORE: dict[type[Step], int] = {  # additional effort of a step
    Build: 2,
    Take: 2,
    Operations: 4,
    Move: 4,
    Rounds: 4,
}
MISSING = 1e3  # replaces missing numbers, after an error or with another shape


@dataclass(frozen=True)
class Probe:
    """The first steps of a check, with the answers of the reference and of a submission.

    chance: returns the indices of random answers among the first so many, which do not count.
    """

    check: str
    steps: Sequence[Step]
    right: Sequence[Answer]
    observed: Sequence[Answer]
    chance: Callable[[int], frozenset[int]]

    @cached_property
    def random(self) -> frozenset[int]:
        """Return the indices of random answers, which do not count."""
        return self.chance(len(self.steps))

    @property
    def work(self) -> int:
        """Return the rough cost of the answers, in units of 10 µs.

        Building a model or watching its operations costs as much as several calls.
        """
        more = sum(MORE.get(type(step), 0) for step in self.steps)
        return 12 + pace(self.steps) * (more + sum(map(effort, self.steps)))

    def cut(self, rivals: Sequence[Sequence[Answer]]) -> Probe | None:
        """Return its beginning up to the first answer that no rival gives, if there is one.

        If the reference is the only rival, that answer must have numbers, which distinguish
        misconceptions best.
        """
        for i, observed in enumerate(self.observed[: len(self.right)]):
            given = [answers[i] for answers in rivals if i < len(answers)]
            tells = len(rivals) > 1 or len(self.right[i].numbers) or len(observed.numbers)
            if tells and not any(map(observed.is_like, given)) and i not in self.chance(i + 1):
                return self._first(i + 1)
        return None

    def opening(self) -> Probe | None:
        """Return its beginning up to the first numbers, if the submission answers it rightly."""
        told = (
            i for i, a in enumerate(self.right) if len(a.numbers) and i not in self.chance(i + 1)
        )
        begun = self._first(next(told, -1) + 1)
        return begun if begun.steps and begun.first_unlike(begun.right) is None else None

    def cancel(self, one: Sequence[Answer], other: Sequence[Answer]) -> bool:
        """Return whether two mistakes partly cancel, so that they are unlikely as a pair.

        They do if a number is right, or exists, that each of them alone makes wrong or missing.
        one, other: the answers of each alone.
        """
        for i, answers in enumerate(zip(self.right, self.observed, one, other, strict=False)):
            if i in self.random:
                continue
            right, observed, *alone = answers
            if (
                len(right.numbers)
                and len(observed.numbers)
                and not any(len(a.numbers) for a in alone)
            ):
                return True
            if len({answer.form for answer in answers}) == 1:
                _, changed, *changed_alone = _changes(answers)
                if ((changed == 0) & (changed_alone[0] != 0) & (changed_alone[1] != 0)).any():
                    return True
        return False

    def _first(self, count: int) -> Probe:
        return replace(
            self, steps=self.steps[:count], right=self.right[:count], observed=self.observed[:count]
        )

    def first_unlike(self, answers: Iterable[Answer]) -> int | None:
        """Return the index of the first answer that differs from the submission's, or None."""
        pairs = enumerate(zip(answers, self.observed, strict=False))
        unlike = (i for i, (ours, theirs) in pairs if not ours.is_like(theirs))
        return next((i for i in unlike if i not in self.random), None)


def ranked(probe: Probe, singles: Sequence[Sequence[Answer]]) -> list[tuple[int, int]]:
    """Return all pairs of indices into `singles`, likeliest first.

    singles: the answers of each single mistake.
    """
    rows = [probe.right, probe.observed, *singles]
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
    """Return for each pair 0 if it explains the form of the submission's answer, else up to 1."""
    forms = [answer.form if answer else "" for answer in given]
    codes = torch.tensor([forms.index(form) for form in forms])
    right, observed, (one, other) = codes[0], codes[1], codes[2:][pairs].T
    expected = torch.where(one == right, other, one)
    both = (one != right) & (other != right) & (observed != one) & (observed != other)
    is_one = (observed == expected) | ((one != right) & (observed == other))
    return torch.where(both, 0.5, torch.where(is_one, 0.0, 1.0)).double()


def _numbers(right: Answer, given: Sequence[Answer | None], pairs: Tensor) -> Tensor:
    """Return for each pair how many of the submission's numbers it does not explain."""
    changes = _changes([right, *given[1:]])
    observed, (one, other) = changes[1], changes[2:][pairs].unbind(1)
    gap = (observed - one - other).abs()
    gap = torch.where(gap <= 2 * _tolerance(right), 0.0, gap)
    share = gap / (one.abs() + other.abs()).clamp(min=1e-300)
    alone = (one == 0) | (other == 0)
    return torch.where(alone, (gap > 0).double(), share.clamp(max=1.0) / 4).sum(dim=1)


def _changes(given: Sequence[Answer | None]) -> Tensor:
    """Return how far the numbers of answers are from those of the first, the right one.

    One row per answer; 0 where the difference may be rounding.
    """
    right = given[0]
    assert right
    missing = torch.full((len(right.numbers),), torch.nan, dtype=torch.float64)
    numbers = torch.stack(
        [a.numbers if a and len(a.numbers) == len(missing) else missing for a in given]
    ).nan_to_num(MISSING, MISSING, -MISSING)
    changes = numbers - numbers[0]
    return torch.where(changes.abs() <= _tolerance(right), 0.0, changes)


def _tolerance(right: Answer) -> Tensor:
    """Return the largest difference from each right number that may be rounding."""
    return right.tolerance * (1 + right.numbers.nan_to_num(MISSING, MISSING, -MISSING).abs())
