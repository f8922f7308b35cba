"""The traces of misconceptions as a recording: what a student's copy has in their place.

Of each check it holds the different answers once, and of each misconception which of them it gave.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from autograder.child import wire
from autograder.diagnosis.suspects import Known, Left, Mistakes
from autograder.diagnosis.trace import Answer, Trace
from autograder.exercise import Exercise
from autograder.grading.collect import Collected


class RecordedSuspects:
    """As Suspects says, read from a recording."""

    def __init__(self, recording: bytes) -> None:
        self._known: dict[str, list[Known]] = {}
        self._random: dict[str, frozenset[int]] = {}
        self._traces: dict[tuple[Known, str], Trace] = {}
        for exercise, recorded in wire.decode(recording).items():
            known = [Known(exercise, i, m, tuple(hints)) for i, m, hints in recorded["known"]]
            self._known[exercise] = known
            for name, check in recorded["checks"].items():
                self._random[name] = frozenset(check["random"])
                answers = _answers(check)
                for one, (category, said, given) in zip(known, check["traces"], strict=True):
                    trace = Trace(category, said, tuple(answers[i] for i in given))
                    self._traces[one, name] = trace

    def singles(self, exercise: Exercise, left: Left) -> Iterable[Mistakes]:
        return [(known,) for known in self._known[exercise.name]]

    def pairs(self, exercise: Exercise, left: Left) -> Iterable[Mistakes]:
        return []

    def leaves(
        self,
        mistakes: Mistakes,
        exercise: Exercise,
        collected: Collected,
        trace: Trace,
        but: frozenset[int],
    ) -> bool:
        [known] = mistakes
        return self._traces[known, collected.name].is_like(trace, but)

    def random(self, exercise: Exercise, collected: Collected) -> frozenset[int]:
        return self._random[collected.name]


def _answers(check: dict[str, Any]) -> list[Answer]:
    sizes = [size for _, _, size in check["answers"]]
    parts = check["numbers"].split(sizes)
    return [
        Answer(form, numbers, room)
        for (form, room, _), numbers in zip(check["answers"], parts, strict=True)
    ]
