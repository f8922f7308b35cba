"""The effect of a regrade, and its description for the terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from autograder.classroom.results import Result
from autograder.nbgrader.journal import Row
from autograder.submissions import ids

WIDTH = 80
LEAST = 1e-9  # points: less is rounding


@dataclass(frozen=True)
class Change:
    """A student's points for an exercise, before and after. manual: a score that overrides them."""

    student: str
    exercise: str
    before: float | None
    after: float
    why: str
    manual: float | None = None

    def lines(self) -> Iterator[str]:
        """Yield the lines for the terminal."""
        before = "none" if self.before is None else f"{self.before:g}"
        stays = "" if self.manual is None else f"; the manual score stays: {self.manual:g}"
        yield f"{self.student}  {self.exercise}: {before} -> {self.after:g}{stays}"
        if self.why:
            indent = " " * 4
            yield from textwrap.wrap(
                self.why, WIDTH, initial_indent=indent, subsequent_indent=indent
            )


@dataclass
class Effect:
    """All that a regrade changes.

    points: maximum points of changed exercises, before and after. totals: the score that counts,
    by student, before and after. penalties: changed penalties for late work, by student, before
    and after. rows: of the gradebook. files: the new contents by path.
    """

    changes: list[Change] = field(default_factory=list)
    points: dict[str, tuple[float, float]] = field(default_factory=dict)
    totals: dict[str, tuple[float, float]] = field(default_factory=dict)
    penalties: dict[str, tuple[float, float]] = field(default_factory=dict)
    rows: list[Row] = field(default_factory=list)
    files: dict[Path, bytes] = field(default_factory=dict)


@dataclass
class RegradePlan:
    """Submissions that a regrade concerns, and its effect.

    results: new results of students whose notebooks change; old: their results before.
    unchanged: by student, the reason why nothing changes. points: maximum points by exercise,
    from the checks.
    """

    assignment: str
    results: dict[str, Result] = field(default_factory=dict)
    old: dict[str, Result | None] = field(default_factory=dict)
    unchanged: dict[str, str] = field(default_factory=dict)
    points: dict[str, float] = field(default_factory=dict)
    effect: Effect = field(default_factory=Effect)

    @property
    def is_empty(self) -> bool:
        return not (self.effect.rows or self.effect.files)

    def lines(self) -> Iterator[str]:
        """Yield the lines for the terminal."""
        for exercise, (old, new) in self.effect.points.items():
            yield f"{exercise}: {old:g} -> {new:g} points at most"
        for change in self.effect.changes:
            yield from change.lines()
        for student, (old, new) in self.effect.penalties.items():
            yield f"{student}  penalty for being late: {old:g} -> {new:g}"
        for student, reason in self.unchanged.items():
            yield f"{ids.shown(student)} {reason}"
        gains = [after - before for before, after in self.effect.totals.values()]
        more = [gain for gain in gains if gain > LEAST]
        less = [-gain for gain in gains if gain < -LEAST]
        yield (
            f"{self.assignment}: {len(more)} gain {sum(more):g} points, {len(less)} lose "
            f"{sum(less):g}; the feedback of {len(self.results)} is rewritten"
        )
