"""What a student's copy has in place of answers: what they have said, as numbers."""

from __future__ import annotations

from functools import cache

from autograder.checking import Draw
from autograder.checking.collect import Checks, collect
from autograder.checking.example import expected_answers
from autograder.client import (
    Answer,
    Consultation,
    LiveReference,
    LocalImplementation,
    Question,
    loading,
)
from autograder.diagnosis.live import LiveMistakes
from autograder.diagnosis.live.recording import record
from autograder.runtime.substitute import substitute


@cache
def traces(assignment: str) -> bytes:
    """What the misconceptions of an assignment answer; found out once, since it takes seconds."""
    checks = collect()
    asked = LiveMistakes(assignment, checks, cache(loading.load))
    return record(asked, checks, assignment)


def replies(checks: Checks, assignment: str) -> bytes:
    """What the reference answers when the visible checks of an assignment are put to itself, and
    to the small questions of which an example may come."""
    asked, answering = loading.load(assignment), loading.load(assignment)
    for collected in checks.collected:
        if collected.assignment == assignment and collected.visible:
            draw = Draw(collected.check.exercise.name)
            collected.run(submission=asked.client(), reference=answering.client(), draw=draw)
    for exercise in checks.exercises(assignment):
        if trial := checks.trial(exercise):
            expected_answers(trial, answering.client())
    if not isinstance(answering, LiveReference):
        raise RuntimeError("a student's copy cannot be copied: it has no solutions")
    return answering.recording(_consultations(checks, assignment, answering))


def _consultations(checks: Checks, assignment: str, reference: LiveReference) -> list[Consultation]:
    """What substitutes for an assignment's exercises ask while those built of them are right."""
    asked: list[Consultation] = []

    def consult(question: Question) -> Answer:
        asked.append((question, reference.consult(question)))
        return asked[-1][1]

    for exercise in checks.exercises(assignment):
        for collected in checks.collected:
            if collected.visible and exercise in collected.check.exercise.prerequisites():
                text = loading.text(collected.assignment)
                substitutes = {exercise.name: substitute(exercise.name, consult)}
                implementation = LocalImplementation(text.source(substitutes))
                other = loading.load(collected.assignment).client()
                draw = Draw(collected.check.exercise.name)
                collected.run(submission=implementation.client(), reference=other, draw=draw)
    return asked
