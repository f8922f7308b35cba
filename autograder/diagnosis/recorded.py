"""The traces of misconceptions as a recording: what a student's copy has in their place.

Of each check it holds the different answers once, and of each misconception which of them it gave.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from autograder.child import wire
from autograder.diagnosis.suspects import Known, Suspects
from autograder.diagnosis.trace import Answer, Trace
from autograder.exercise import Exercise
from autograder.grading.collect import Checks, Collected


def record(suspects: Suspects, checks: Checks, assignment: str) -> bytes:
    """The traces of all misconceptions of an assignment in its visible checks."""
    return wire.encode(
        {
            exercise.name: {
                "known": [[k.id, k.mistake, list(k.hints)] for k in suspects.known(exercise)],
                "checks": {
                    collected.name: _check(suspects, exercise, collected)
                    for collected in checks.of(exercise)
                    if collected.visible
                },
            }
            for exercise in checks.exercises(assignment)
        }
    )


def _check(suspects: Suspects, exercise: Exercise, collected: Collected) -> dict[str, Any]:
    different: dict[tuple[str, float, bytes], int] = {}
    numbers = [torch.empty(0, dtype=torch.float64)]

    def place(answer: Answer) -> int:
        key = answer.form, answer.room, answer.numbers.numpy().tobytes()
        if key not in different:
            different[key] = len(different)
            numbers.append(answer.numbers)
        return different[key]

    left = [suspects.trace(known, exercise, collected) for known in suspects.known(exercise)]
    return {
        "random": sorted(suspects.random(exercise, collected)),
        "traces": [[t.category, t.said, [place(answer) for answer in t.answers]] for t in left],
        "answers": [[form, room, len(data) // 8] for form, room, data in different],
        "numbers": torch.cat(numbers),
    }


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

    def known(self, exercise: Exercise) -> Sequence[Known]:
        return self._known[exercise.name]

    def trace(self, known: Known, exercise: Exercise, collected: Collected) -> Trace:
        return self._traces[known, collected.name]

    def random(self, exercise: Exercise, collected: Collected) -> frozenset[int]:
        return self._random[collected.name]

    def seconds(self, exercise: Exercise, collected: Collected) -> float:
        return 0.0


def _answers(check: dict[str, Any]) -> list[Answer]:
    sizes = [size for _, _, size in check["answers"]]
    parts = check["numbers"].split(sizes)
    return [
        Answer(form, numbers, room)
        for (form, room, _), numbers in zip(check["answers"], parts, strict=True)
    ]
