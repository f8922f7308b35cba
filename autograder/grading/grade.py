"""Grades: one per submission, made of grades of exercises, made of grades of checks."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from autograder.checking.example import Example
else:  # processes that only read stored grades, which have no examples, need not import torch
    Example = type(None)


class Outcome(str, Enum):
    """The result of a check or an exercise."""

    PASSED = "passed"
    FAILED = "failed"  # the student's code is wrong
    MISSING = "missing"  # not written yet
    BLOCKED = "blocked"  # waits for another exercise, which it uses
    ERROR = "error"  # the grader is at fault, so this never means zero points


@dataclass(frozen=True)
class Diagnosis:
    """A mistake found in a submission.

    ids: all misconceptions that give the same results. mistake: a phrase that names the mistake,
    "" if those misconceptions have different ones. hints: in order, from what can be seen to nearly
    the answer. seen: True for an observed symptom, False for misconceptions with the same results.
    """

    ids: tuple[str, ...]
    mistake: str
    hints: tuple[str, ...]
    seen: bool = False


@dataclass(frozen=True)
class Line:
    """A line of a student's code.

    cell: the label of a notebook's cell, or the name of another file; "" in the graded module.
    """

    cell: str
    number: int
    text: str


@dataclass(frozen=True)
class CheckGrade:
    """The outcome of one check.

    message: a fixed phrase if the check is hidden. printed: what the student's code printed during
    a visible check that failed. carried: True if the check is blocked but passes with correct
    prerequisites, so that it gets its points. category: what kind of failure it is, a fixed phrase.
    unsuited: why none of those can stand in for the student's, if that is why it is blocked; the
    message ends with it.
    """

    name: str
    title: str
    outcome: Outcome
    max_points: float
    visible: bool
    message: str = ""
    printed: str = ""
    carried: bool = False
    category: str = ""
    unsuited: str = ""

    @property
    def points(self) -> float:
        return self.max_points if self.outcome is Outcome.PASSED or self.carried else 0.0


@dataclass(frozen=True)
class ExerciseGrade:
    """The grades of one exercise's checks, and the exercise it waits for if it is blocked.

    diagnoses: the mistakes that could be named. example: the smallest example that shows one.
    line: where the mistake that was named is, if that was looked for and is sure. alike: a key that
    work without a named mistake shares with other such work that answers the same; "" for others.
    """

    name: str
    checks: tuple[CheckGrade, ...]
    waits_for: str = ""
    diagnoses: tuple[Diagnosis, ...] = ()
    example: Example | None = None
    line: Line | None = None
    alike: str = ""

    @property
    def outcome(self) -> Outcome:
        """The most severe outcome of the checks, in the order below; passed if there is none."""
        found = {check.outcome for check in self.checks}
        order = (Outcome.ERROR, Outcome.FAILED, Outcome.BLOCKED, Outcome.MISSING)
        return next((outcome for outcome in order if outcome in found), Outcome.PASSED)

    @property
    def points(self) -> float:
        return sum(check.points for check in self.checks)

    @property
    def max_points(self) -> float:
        return sum(check.max_points for check in self.checks)

    @property
    def is_carried(self) -> bool:
        """Return whether it is blocked, but has all points since only prerequisites are wrong."""
        return self.outcome is Outcome.BLOCKED and self.points == self.max_points

    @property
    def is_begun(self) -> bool:
        """Return whether it is incomplete, but has points already."""
        return self.outcome is Outcome.MISSING and self.points > 0

    @property
    def misconceptions(self) -> tuple[str, ...]:
        """The ids of all misconceptions in its diagnoses."""
        return tuple(name for found in self.diagnoses for name in found.ids)


@dataclass(frozen=True)
class Grade:
    """The grade of one submission.

    status: 'graded', 'unreadable' (nothing could be run; message says why) or 'needs_staff' (the
    grader failed; a person must look). locked: True if the code ran in a locked sandbox.
    """

    submission: str
    path: str
    assignment: str | None
    status: str
    exercises: tuple[ExerciseGrade, ...] = ()
    message: str = ""
    locked: bool = False

    @property
    def sandbox(self) -> str:
        """'locked' or 'unlocked': how the submission was run."""
        return "locked" if self.locked else "unlocked"

    @property
    def points(self) -> float:
        return sum(exercise.points for exercise in self.exercises)

    @property
    def max_points(self) -> float:
        return sum(exercise.max_points for exercise in self.exercises)
