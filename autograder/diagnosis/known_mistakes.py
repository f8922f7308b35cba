"""The misconceptions of an assignment, and the search for those that explain a submission."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from autograder.checking.collect import Collected
from autograder.course.exercise import Exercise
from autograder.diagnosis.trace import Answer, Trace
from autograder.errors import Signal


@dataclass(frozen=True)
class KnownMistake:
    """A misconception as students see it: a phrase and hints."""

    exercise: str
    id: str
    mistake: str
    hints: tuple[str, ...]


Mistakes = tuple[KnownMistake, ...]  # in one module: one or two; () is the reference
Traces = Mapping[Collected, Trace]  # of a submission, by check


class TooMuchWork(Signal):
    """The search budget is used up: too many misconceptions give nearly the same answers."""


class Search(Protocol):
    """A search for the mistakes in one submission to one exercise, with its own budget."""

    def singles(self) -> Iterable[Mistakes]:
        """Return single misconceptions that may explain the traces. Raises TooMuchWork."""

    def pairs(self) -> Iterable[Mistakes]:
        """Return pairs of misconceptions that may explain the traces; some may be missing.

        Raises TooMuchWork.
        """

    def leaves(self, mistakes: Mistakes, collected: Collected, ignored: frozenset[int]) -> bool:
        """Return whether these mistakes leave the submission's trace in a check.

        ignored: indices of answers that may differ. Raises TooMuchWork.
        """

    def random(self, collected: Collected) -> frozenset[int]:
        """Return the indices of the reference's answers to a check that are random."""


class KnownMistakes(Protocol):
    """The misconceptions of one assignment."""

    def search(self, exercise: Exercise, observed: Traces) -> Search:
        """Start a search for the misconceptions that explain a submission's traces."""

    def right(self, exercise: Exercise, collected: Collected) -> Sequence[Answer]:
        """Return the reference's answers in a check."""
