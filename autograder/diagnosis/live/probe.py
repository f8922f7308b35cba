"""The beginning of one check, which all misconceptions can be asked, and what it tells of pairs.

From what the single ones answer it can be said which pairs are likely: two mistakes change a
number by about the sum of what each changes it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from autograder.channel import Step
from autograder.diagnosis.trace import Answer

MISSING = 1e3  # stands for a number that is not there: an error, or another shape


@dataclass(frozen=True)
class Probe:
    """What a check asks, and what the reference and a submission answer.

    random: the places of answers that do not count.
    """

    check: str
    steps: Sequence[Step]
    right: Sequence[Answer]
    left: Sequence[Answer]
    random: frozenset[int]

    def cut(self, rivals: Sequence[Sequence[Answer]]) -> Probe | None:
        """Its beginning, up to the first answer whose numbers no rival gives, if there is one."""
        for i, left in enumerate(self.left[: len(self.right)]):
            given = [answers[i] for answers in rivals if i < len(answers)]
            has_numbers = len(self.right[i].numbers) or len(left.numbers)
            if i not in self.random and has_numbers and not any(map(left.is_like, given)):
                n = i + 1
                return replace(self, steps=self.steps[:n], right=self.right[:n], left=self.left[:n])
        return None

    def is_like(self, answers: Sequence[Answer]) -> bool:
        """Are these the submission's answers?"""
        pairs = enumerate(zip(answers, self.left, strict=False))
        return all(i in self.random or ours.is_like(theirs) for i, (ours, theirs) in pairs)


def ranked(probe: Probe, singles: Sequence[Sequence[Answer]]) -> list[tuple[int, int]]:
    """The pairs of some that gave these answers, as indices; the likeliest come first."""
    rows = [probe.right, probe.left, *singles]
    pairs = torch.combinations(torch.arange(len(singles)))
    unlike = torch.zeros(len(pairs), dtype=torch.float64)
    for i, answer in enumerate(probe.right):
        if i not in probe.random:
            given = [row[i] if i < len(row) else None for row in rows]
            unlike += _forms(given, pairs) + _numbers(answer, given, pairs)
    order = torch.argsort(unlike, stable=True)
    return [(int(i), int(j)) for i, j in pairs[order]]


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
    size = len(right.numbers)
    missing = torch.full((size,), torch.nan, dtype=torch.float64)
    numbers = torch.stack(
        [answer.numbers if answer and len(answer.numbers) == size else missing for answer in given]
    ).nan_to_num(MISSING, MISSING, -MISSING)
    room = right.room * (1 + numbers[0].abs())
    changes = numbers - numbers[0]
    changes = torch.where(changes.abs() <= room, 0.0, changes)
    left, (one, other) = changes[1], changes[2:][pairs].unbind(1)
    gap = (left - one - other).abs()
    gap = torch.where(gap <= 2 * room, 0.0, gap)
    share = gap / (one.abs() + other.abs()).clamp(min=1e-300)
    alone = (one == 0) | (other == 0)
    return torch.where(alone, (gap > 0).double(), share.clamp(max=1.0) / 4).sum(dim=1)
