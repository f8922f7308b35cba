"""Record the traces of misconceptions, for a student's copy."""

from __future__ import annotations

from typing import Any

import torch

from autograder.checking.collect import Checks, Collected
from autograder.course.exercise import Exercise
from autograder.diagnosis.live.asking import LiveSuspects
from autograder.diagnosis.trace import Answer
from autograder.runtime import wire


def record(suspects: LiveSuspects, checks: Checks, assignment: str) -> bytes:
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


def _check(suspects: LiveSuspects, exercise: Exercise, collected: Collected) -> dict[str, Any]:
    different: dict[tuple[str, float, bytes], int] = {}
    numbers = [torch.empty(0, dtype=torch.float64)]

    def place(answer: Answer) -> int:
        key = answer.form, answer.room, answer.numbers.numpy().tobytes()
        if key not in different:
            different[key] = len(different)
            numbers.append(answer.numbers)
        return different[key]

    right = [place(answer) for answer in suspects.right(exercise, collected)]
    left = [suspects.trace((known,), exercise, collected) for known in suspects.known(exercise)]
    return {
        "random": sorted(suspects.random(exercise, collected)),
        "right": right,
        "traces": [[t.category, t.said, [place(answer) for answer in t.answers]] for t in left],
        "answers": [[form, room, len(data) // 8] for form, room, data in different],
        "numbers": torch.cat(numbers),
    }
