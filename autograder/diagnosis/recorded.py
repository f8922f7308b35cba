"""The traces of misconceptions as a recording: what a student's copy has in their place.

Of each check it holds the different answers once, and of each misconception which of them it gave.
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
    """Implements KnownMistakes from a recording."""

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

    def search(self, exercise: Exercise, left: Traces) -> RecordedSearch:
        """Start a search."""
        return RecordedSearch(self, exercise, left)

    def known(self, exercise: Exercise) -> list[KnownMistake]:
        """The misconceptions of an exercise."""
        return self._known[exercise.name]

    def trace(self, known: KnownMistake, collected: Collected) -> Trace:
        """Return the recorded trace of a misconception in a check."""
        return self._traces[known, collected.name]

    def right(self, exercise: Exercise, collected: Collected) -> Sequence[Answer]:
        """As of KnownMistakes."""
        return self._right[collected.name]

    def random(self, collected: Collected) -> frozenset[int]:
        """As of Search."""
        return self._random[collected.name]


class RecordedSearch:
    """Implements Search; reading costs nothing, so it has no budget."""

    def __init__(self, known_mistakes: RecordedMistakes, exercise: Exercise, left: Traces) -> None:
        self._known_mistakes = known_mistakes
        self._exercise = exercise
        self._left = left

    def singles(self) -> Iterable[Mistakes]:
        """As of Search."""
        return [(known,) for known in self._known_mistakes.known(self._exercise)]

    def pairs(self) -> Iterable[Mistakes]:
        """None: only single ones are recorded."""
        return []

    def leaves(self, mistakes: Mistakes, collected: Collected, but: frozenset[int]) -> bool:
        """As of Search."""
        [known] = mistakes
        return self._known_mistakes.trace(known, collected).is_like(self._left[collected], but)

    def random(self, collected: Collected) -> frozenset[int]:
        """As of Search."""
        return self._known_mistakes.random(collected)


def _answers(check: dict[str, Any]) -> list[Answer]:
    sizes = [size for _, _, size in check["answers"]]
    parts = check["numbers"].split(sizes)
    return [
        Answer(form, numbers, room)
        for (form, room, _), numbers in zip(check["answers"], parts, strict=True)
    ]
