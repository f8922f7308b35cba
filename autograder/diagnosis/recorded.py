"""Recorded traces of misconceptions, which replace the misconceptions in a student's copy.

For each check, a recording stores every distinct answer once, and for each misconception the
indices of its answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from autograder.checking.collect import Collected
from autograder.course.exercise import Exercise
from autograder.diagnosis.known_mistakes import KnownMistake, Mistakes, Traces
from autograder.diagnosis.trace import Answer, Trace
from autograder.runtime import wire


class RecordedMistakes:
    """KnownMistakes from a recording."""

    def __init__(self, recording: bytes) -> None:
        self._known: dict[str, list[KnownMistake]] = {}
        self._random: dict[str, frozenset[int]] = {}
        self._right: dict[str, list[Answer]] = {}
        self._traces: dict[tuple[KnownMistake, str], Trace] = {}
        for exercise, recorded in wire.decode(recording).items():
            known = [
                KnownMistake(exercise, i, m, tuple(hints)) for i, m, hints in recorded["known"]
            ]
            self._known[exercise] = known
            for name, check in recorded["checks"].items():
                self._random[name] = frozenset(check["random"])
                answers = _answers(check)
                self._right[name] = [answers[i] for i in check["right"]]
                for one, (category, said, given) in zip(known, check["traces"], strict=True):
                    trace = Trace(category, said, tuple(answers[i] for i in given))
                    self._traces[one, name] = trace

    def search(self, exercise: Exercise, observed: Traces) -> RecordedSearch:
        """Start a search for the misconceptions that explain a submission's traces."""
        return RecordedSearch(self, exercise, observed)

    def known(self, exercise: Exercise) -> list[KnownMistake]:
        """Return the misconceptions of an exercise."""
        return self._known[exercise.name]

    def trace(self, known: KnownMistake, collected: Collected) -> Trace:
        """Return the recorded trace of a misconception in a check."""
        return self._traces[known, collected.name]

    def right(self, exercise: Exercise, collected: Collected) -> Sequence[Answer]:
        """Return the reference's answers in a check."""
        return self._right[collected.name]

    def random(self, collected: Collected) -> frozenset[int]:
        """Return the indices of the reference's answers to a check that are random."""
        return self._random[collected.name]


class RecordedSearch:
    """Search in a recording; it needs no budget, since reading costs nothing."""

    def __init__(
        self, known_mistakes: RecordedMistakes, exercise: Exercise, observed: Traces
    ) -> None:
        self._known_mistakes = known_mistakes
        self._exercise = exercise
        self._observed = observed

    def singles(self) -> Iterable[Mistakes]:
        """Return all recorded misconceptions."""
        return [(known,) for known in self._known_mistakes.known(self._exercise)]

    def pairs(self) -> Iterable[Mistakes]:
        """Return nothing, since only single misconceptions are recorded."""
        return []

    def leaves(self, mistakes: Mistakes, collected: Collected, ignored: frozenset[int]) -> bool:
        """Return whether these mistakes leave the submission's trace in a check."""
        [known] = mistakes
        return self._known_mistakes.trace(known, collected).is_like(
            self._observed[collected], ignored
        )

    def random(self, collected: Collected) -> frozenset[int]:
        """Return the indices of the reference's answers to a check that are random."""
        return self._known_mistakes.random(collected)


def _answers(check: dict[str, Any]) -> list[Answer]:
    sizes = [size for _, _, size in check["answers"]]
    parts = check["numbers"].split(sizes)
    return [
        Answer(form, numbers, tolerance)
        for (form, tolerance, _), numbers in zip(check["answers"], parts, strict=True)
    ]
