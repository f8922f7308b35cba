"""The misconceptions of an assignment, and the trace that each leaves in each check."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from autograder import course
from autograder.diagnosis.trace import Trace
from autograder.exercise import Exercise
from autograder.grading.collect import Checks, Collected
from autograder.grading.references import Reference


@dataclass(frozen=True)
class Known:
    """A misconception as students get to know it."""

    exercise: str
    id: str
    mistake: str
    hints: tuple[str, ...]


class Suspects(Protocol):
    """The misconceptions of one assignment."""

    def known(self, exercise: Exercise) -> Sequence[Known]:
        """Those of an exercise."""

    def trace(self, known: Known, exercise: Exercise, collected: Collected) -> Trace:
        """What one leaves in a check of its exercise."""

    def random(self, exercise: Exercise, collected: Collected) -> frozenset[int]:
        """Which answers to a check are random, as the reference gives them."""

    def seconds(self, exercise: Exercise, collected: Collected) -> float:
        """How long it takes to get a trace of a check."""


def suspects(assignment: str, checks: Checks, reference: Callable[[str], Reference]) -> Suspects:
    """Those of an assignment: themselves, or in a student's copy the traces that they left."""
    if course.is_students_copy():
        from autograder.diagnosis.recorded import RecordedSuspects

        return RecordedSuspects((course.RECORDED / f"{assignment}.traces").read_bytes())
    from autograder.diagnosis.live import LiveSuspects

    return LiveSuspects(assignment, checks, reference)
