"""Record the traces of misconceptions, for a student's copy."""

from __future__ import annotations

from typing import Any

import torch

from autograder.checking.collect import Checks, Collected
from autograder.course.exercise import Exercise
from autograder.diagnosis.live.asking import LiveMistakes
from autograder.diagnosis.trace import Answer
from autograder.runtime import wire


def record(known_mistakes: LiveMistakes, checks: Checks, assignment: str) -> bytes:
    """Encode the traces of an assignment's misconceptions in its visible checks."""
    return wire.encode(
        {
            exercise.name: {
                "known": [[k.id, k.mistake, list(k.hints)] for k in known_mistakes.known(exercise)],
                "checks": {
                    collected.name: _check(known_mistakes, exercise, collected)
                    for collected in checks.of(exercise)
                    if collected.visible
                },
            }
            for exercise in checks.exercises(assignment)
        }
    )


def _check(
    known_mistakes: LiveMistakes, exercise: Exercise, collected: Collected
) -> dict[str, Any]:
    different: dict[tuple[str, float, bytes], int] = {}
    numbers = [torch.empty(0, dtype=torch.float64)]

    def place(answer: Answer) -> int:
        key = answer.form, answer.tolerance, answer.numbers.numpy().tobytes()
        if key not in different:
            different[key] = len(different)
            numbers.append(answer.numbers)
        return different[key]

    right = [place(answer) for answer in known_mistakes.right(exercise, collected)]
    observed = [
        known_mistakes.trace((known,), exercise, collected)
        for known in known_mistakes.known(exercise)
    ]
    return {
        "random": sorted(known_mistakes.random(exercise, collected)),
        "right": right,
        "traces": [[t.category, t.said, [place(answer) for answer in t.answers]] for t in observed],
        "answers": [[form, tolerance, len(data) // 8] for form, tolerance, data in different],
        "numbers": torch.cat(numbers),
    }
