"""The solutions with a known grade are in their folders, and there are enough of each kind."""

from __future__ import annotations

from collections import Counter

import pytest

from autograder import course
from autograder.audit.corpus import KINDS, Kind, cases, check_names
from autograder.checking.collect import Checks


@pytest.mark.dear
@pytest.mark.parametrize("assignment", course.assignments())
def test_each_lies_with_its_exercise_and_says_what_it_is(assignment: str, checks: Checks) -> None:
    check_names(assignment, [exercise.name for exercise in checks.exercises(assignment)])


def test_there_are_right_ones_of_every_exercise(checks: Checks) -> None:
    found = {
        path.stem.split("__")[0] for a in course.assignments() for path in course.corpus(a, "right")
    }
    assert found == set(checks.homes())


@pytest.mark.dear
def test_there_are_five_of_each_kind_that_graders_seldom_look_for(checks: Checks) -> None:
    found = [c for e, home in checks.homes().items() for c in cases(home, e)]
    count = Counter(c.name.split("__")[1] for c in found if c.kind is Kind.UNSEEN)
    assert count.keys() == KINDS.keys()
    assert min(count.values()) >= 5
