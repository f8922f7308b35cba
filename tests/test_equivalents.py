"""Every right solution is accepted, however it is written."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.comparison.agreement import ROUNDED
from autograder.grading.collect import Checks
from autograder.grading.grader import Grader
from autograder.grading.submissions import find
from autograder.sandbox import Sandbox

FILES = sorted(Path(__file__).with_name("equivalents").glob("*.py"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_equivalent_solution_gets_full_marks(path: Path, checks: Checks, sandbox: Sandbox) -> None:
    exercise = path.stem.split("__")[0]
    grade = Grader(checks, sandbox, frozenset([exercise])).grade(find(path, None)[0])
    assert grade.status == "graded"
    messages = {check.message for graded in grade.exercises for check in graded.checks}
    assert messages <= ({"", ROUNDED} if "float32" in path.read_text() else {""})
    assert grade.points == grade.max_points > 0


def test_there_are_some_for_every_exercise(checks: Checks) -> None:
    names = {c.check.exercise.name for c in checks.collected}
    assert {path.stem.split("__")[0] for path in FILES} == names
