"""Record answers of references and misconceptions; a student's copy has only the recordings."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from autograder.checking import Draw
from autograder.checking.collect import Checks, collect
from autograder.checking.example import expected_answers
from autograder.client import (
    Consultation,
    LiveReference,
    LocalImplementation,
    RequestData,
    Response,
    loading,
)
from autograder.diagnosis.live import LiveMistakes
from autograder.diagnosis.live.recording import record
from autograder.runtime import wire
from autograder.runtime.substitute import substitute


class Recorded(NamedTuple):
    """The recordings of an assignment: the reference's replies, the misconceptions' traces."""

    replies: bytes
    traces: bytes


@cache
def recorded(assignment: str) -> Recorded:
    """Record an assignment's visible checks; cached, since it takes seconds.

    The reference's replies are also to what the checks ask only if a misconception is at fault, to
    the small questions from which feedback takes its examples, and to the substitutes of exercises
    that others build on.
    """
    checks = collect()
    submitted, answering = loading.load(assignment), loading.load(assignment)
    others = cache(loading.load)
    mistakes = LiveMistakes(
        assignment,
        checks,
        lambda name: answering if name == assignment else others(name),
        right=submitted,
    )
    traces = record(mistakes, checks, assignment)
    for collected in checks.collected:
        if collected.assignment == assignment and collected.visible:
            draw = Draw(collected.check.exercise.name)
            collected.run(submission=submitted.client(), reference=answering.client(), draw=draw)
    for exercise in checks.exercises(assignment):
        if trial := checks.trial(exercise):
            expected_answers(trial, answering.client)
    if not isinstance(answering, LiveReference):
        raise RuntimeError("A student's copy cannot be built from another: it has no solutions.")
    return Recorded(answering.recording(_consultations(checks, assignment, answering)), traces)


def _consultations(checks: Checks, assignment: str, reference: LiveReference) -> list[Consultation]:
    """Return the requests of substitutes for an assignment's exercises, with the responses.

    They are made when right exercises that build on them are checked.
    """
    consultations: list[Consultation] = []

    def consult(data: RequestData) -> Response:
        answer = reference.consult(data)
        # Copies, as messages are: training changes the tensors of both in place later.
        consultations.append(wire.decode(wire.encode([data, answer])))
        return answer

    for exercise in checks.exercises(assignment):
        for collected in checks.collected:
            if collected.visible and exercise in collected.check.exercise.prerequisites():
                text = loading.text(collected.assignment)
                substitutes = {exercise.name: substitute(exercise.name, consult)}
                implementation = LocalImplementation(text.source(substitutes))
                other = loading.load(collected.assignment).client()
                draw = Draw(collected.check.exercise.name)
                collected.run(submission=implementation.client(), reference=other, draw=draw)
    return consultations
