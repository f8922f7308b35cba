"""Tests of damaged submissions: each is graded, or refused for its student with a reason."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from conftest import sampled
from damage import ALL, ROOMS, Damage, Released, release
from damage.released import ASSIGNMENT

from autograder.grading.grade import Grade
from autograder.grading.grader import Grader
from autograder.submissions.finding import find


@pytest.fixture(scope="module")
def released() -> Released:
    return release()


def room(damage: Damage) -> str:
    """The module in which a case stands."""
    return next(room.__name__ for room in ROOMS if damage in vars(room).values())


@pytest.mark.skipif(os.name != "posix", reason="has no such files")
@pytest.mark.parametrize("damage", sampled(ALL, lambda damage: damage.name, room, each=2))
def test_damage(damage: Damage, released: Released, grader: Grader, tmp_path: Path) -> None:
    folder = tmp_path / "class" / damage.student
    folder.mkdir(parents=True)
    damage.make(folder, released)
    [submission] = find(tmp_path / "class", ASSIGNMENT)
    grade = grader.grade(submission)
    shutil.rmtree(tmp_path, ignore_errors=True)  # some are large
    assert_as_expected(damage, grade)


def assert_as_expected(damage: Damage, grade: Grade) -> None:
    """The case is graded or refused as expected, and a refusal has a reason."""
    refused = grade.status == "unreadable"
    assert grade.status in ("graded", "unreadable")
    assert refused is not damage.graded
    said = [grade.message, *(check.message for e in grade.exercises for check in e.checks)]
    if refused:
        assert grade.message.endswith(".")
        assert grade.points == 0
    assert any(damage.phrase in text for text in said)
    if damage.graded:
        lost = tuple(e.name for e in grade.exercises if e.points == 0)
        assert lost == damage.lost
        assert all(e.points == e.max_points for e in grade.exercises if e.name not in lost)
        assert bool(damage.lost) or damage.phrase in grade.message


def test_names_are_unique() -> None:
    names = [damage.name for damage in ALL]
    assert len(names) == len(set(names))
