"""The misconceptions of an assignment, and the trace that each leaves in each check."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from autograder import course
from autograder.checking.collect import Checks, Collected
from autograder.client.loading import Reference
from autograder.course.exercise import Exercise
from autograder.diagnosis.trace import Answer, Trace


@dataclass(frozen=True)
class KnownMistake:
    """A misconception as students get to know it."""

    exercise: str
    id: str
    mistake: str
    hints: tuple[str, ...]


Mistakes = tuple[KnownMistake, ...]  # in one module: one or two; none in the reference
Traces = Mapping[Collected, Trace]  # what a submission left in each check


class TooMuchWork(Exception):
    """So many are alike in so much that to tell them apart is not worth it."""


class Search(Protocol):
    """The search for the mistakes in one submission to one exercise, with a budget of its own."""

    def singles(self) -> Iterable[Mistakes]:
        """Yield single misconceptions that may have left these traces. Raises TooMuchWork."""

    def pairs(self) -> Iterable[Mistakes]:
        """Those that may have left them two at once. Some that did may be missing.

        Raises TooMuchWork.
        """

    def leaves(self, mistakes: Mistakes, collected: Collected, but: frozenset[int]) -> bool:
        """Do these leave the submission's trace in a check, but for the answers at some places?

        Raises TooMuchWork.
        """

    def random(self, collected: Collected) -> frozenset[int]:
        """Which answers to a check are random, as the reference gives them."""


class KnownMistakes(Protocol):
    """The misconceptions of one assignment."""

    def search(self, exercise: Exercise, left: Traces) -> Search:
        """Start a search for those that a submission has, from the traces that it left."""

    def right(self, exercise: Exercise, collected: Collected) -> Sequence[Answer]:
        """Return the reference's answers in a check."""


def known_mistakes(
    assignment: str, checks: Checks, reference: Callable[[str], Reference]
) -> KnownMistakes:
    """Those of an assignment: themselves, or in a student's copy the traces that they left."""
    if course.is_students_copy():
        from autograder.diagnosis.recorded import RecordedMistakes

        return RecordedMistakes(course.recorded_file(assignment, ".traces").read_bytes())
    from autograder.diagnosis.live import LiveMistakes

    return LiveMistakes(assignment, checks, reference)
