"""What grading gives: a Grade per submission, made of exercises, made of checks."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from autograder.checking.example import Example


class Outcome(str, Enum):
    """What became of a check or an exercise."""

    PASSED = "passed"
    FAILED = "failed"  # the student's code is wrong
    MISSING = "missing"  # not written yet
    BLOCKED = "blocked"  # waits for an exercise that it is built from
    ERROR = "error"  # the grader's own fault: never a zero


@dataclass(frozen=True)
class Diagnosis:
    """What a submission does instead of what was asked.

    ids: of all the misconceptions that do the same. mistake: in a phrase, unless they have several.
    hints: one after the other, from what can be seen to nearly the answer. seen: is it a symptom
    that was observed, not a misconception that does the same?
    """

    ids: tuple[str, ...]
    mistake: str
    hints: tuple[str, ...]
    seen: bool = False


@dataclass(frozen=True)
class CheckGrade:
    """One check's outcome. message: for a hidden check a fixed phrase only.

    printed: what the student's code printed meanwhile, for a visible check that failed. carried:
    it is blocked, but holds with the right exercises in place of those for which it waits, so that
    it has its points.
    """

    name: str
    title: str
    outcome: Outcome
    max_points: float
    visible: bool
    message: str = ""
    printed: str = ""
    carried: bool = False

    @property
    def points(self) -> float:
        return self.max_points if self.outcome is Outcome.PASSED or self.carried else 0.0


@dataclass(frozen=True)
class ExerciseGrade:
    """One exercise's checks, and the exercise for which it waits if it is blocked.

    diagnoses: the mistakes in it, as far as they are known. example: the smallest that shows one.
    """

    name: str
    checks: tuple[CheckGrade, ...]
    waits_for: str = ""
    diagnoses: tuple[Diagnosis, ...] = ()
    example: Example | None = None

    @property
    def outcome(self) -> Outcome:
        """The outcome of its checks: the first of these that any of them has."""
        found = {check.outcome for check in self.checks}
        order = (Outcome.ERROR, Outcome.FAILED, Outcome.BLOCKED, Outcome.MISSING)
        return next((outcome for outcome in order if outcome in found), Outcome.PASSED)

    @property
    def points(self) -> float:
        return sum(check.points for check in self.checks)

    @property
    def max_points(self) -> float:
        return sum(check.max_points for check in self.checks)


@dataclass(frozen=True)
class Grade:
    """What one submission is worth.

    status: 'graded', 'unreadable' (nothing in it could be run; message says why) or
    'needs_staff' (the grader failed; a person must look). locked: could its code reach nothing?
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
        """How it was run, in a word."""
        return "locked" if self.locked else "unlocked"

    @property
    def points(self) -> float:
        return sum(exercise.points for exercise in self.exercises)

    @property
    def max_points(self) -> float:
        return sum(exercise.max_points for exercise in self.exercises)
