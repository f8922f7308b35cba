"""The solutions with a known grade are in their folders, and there are enough of each kind."""

from __future__ import annotations

from collections import Counter

import pytest

from autograder import course
from autograder.audit.corpus import Kind, cases
from autograder.checking.collect import Checks
from autograder.course.misconceptions import misconceptions

UNSEEN = {"sizes", "optional", "float32", "start", "again", "promise", "notebook"}


@pytest.mark.parametrize("assignment", course.assignments())
@pytest.mark.parametrize("kind", ["right", "wrong"])
def test_each_lies_with_its_exercise_and_says_what_it_is(
    assignment: str, kind: str, checks: Checks
) -> None:
    names = {exercise.name for exercise in checks.exercises(assignment)}
    known = {(m.exercise, m.id) for m in misconceptions(assignment)}
    for path in course.corpus(assignment, kind):
        exercise, what, *_ = path.stem.split("__")
        assert exercise in names, path
        if kind == "wrong":
            assert (exercise, what) in known or what in UNSEEN, path
            assert path.read_text(encoding="utf-8").startswith('"""'), path


def test_there_are_right_ones_of_every_exercise(checks: Checks) -> None:
    found = {
        path.stem.split("__")[0] for a in course.assignments() for path in course.corpus(a, "right")
    }
    assert found == set(checks.homes())


def test_there_are_five_of_each_kind_that_graders_seldom_look_for(checks: Checks) -> None:
    found = [c for e, home in checks.homes().items() for c in cases(home, e)]
    count = Counter(c.name.split("__")[1] for c in found if c.kind is Kind.UNSEEN)
    assert set(count) == UNSEEN
    assert min(count.values()) >= 5
