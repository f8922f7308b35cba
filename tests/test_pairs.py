"""Two mistakes at once are named, both of them, and never two others."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from functools import cache
from itertools import islice, permutations

import pytest

from autograder.course import assignments
from autograder.diagnosis.live import LiveSuspects
from autograder.diagnosis.naming import Namer
from autograder.diagnosis.suspects import Left, Mistakes
from autograder.exercise import Exercise
from autograder.grading import references
from autograder.grading.collect import Checks
from autograder.misconceptions import EditDoesNotApply

ASKED = 4  # pairs of each assignment, at least one of each exercise; an audit asks more
NAMED = 0.8  # of pairs at least


def sample(suspects: LiveSuspects, exercise: Exercise, checks: Checks) -> Iterator[Mistakes]:
    """Pairs, in an order drawn once, that lose points in another way than each of the two does."""
    asked = checks.of(exercise)
    pairs = list(permutations(suspects.known(exercise), 2))
    random.Random(f"pairs {exercise.name}").shuffle(pairs)
    for pair in pairs:
        try:
            left = traces(suspects, pair, exercise, checks)
        except EditDoesNotApply:
            continue
        by_chance = {c: suspects.random(exercise, c) for c in asked}
        alone = (
            all(suspects.leaves((one,), exercise, c, left[c], by_chance[c]) for c in asked)
            for one in pair
        )
        if any(trace.category for trace in left.values()) and not any(alone):
            yield pair


def traces(suspects: LiveSuspects, pair: Mistakes, exercise: Exercise, checks: Checks) -> Left:
    return {c: suspects.trace(pair, exercise, c) for c in checks.of(exercise)}


@pytest.mark.parametrize("assignment", assignments())
def test_pairs_are_named(assignment: str, checks: Checks) -> None:
    suspects = LiveSuspects(assignment, checks, cache(references.load))
    namer = Namer(checks, lambda _: suspects)
    asked = silent = 0
    exercises = checks.exercises(assignment)
    for exercise in exercises:
        for pair in islice(sample(suspects, exercise, checks), math.ceil(ASKED / len(exercises))):
            found = namer.name(exercise, traces(suspects, pair, exercise, checks))
            named = {name for diagnosis in found for name in diagnosis.ids}
            assert not found or {known.id for known in pair} <= named, pair
            asked += 1
            silent += not found
    assert asked >= ASKED
    assert silent <= max(1, (1 - NAMED) * asked)
