"""Every correct solution gets full marks, however it is written, locked and unlocked."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import corpus, home, sampled

from autograder.checking.agreement import ROUNDED
from autograder.checking.collect import Checks
from autograder.course import assignments
from autograder.grading.grader import Grader
from autograder.sandbox import Limits, Sandbox, open_sandbox
from autograder.submissions.finding import Submission, find

FILES = corpus("right")


@pytest.fixture(scope="module")
def locked() -> Iterator[Sandbox]:
    """Yield a locked sandbox."""
    with open_sandbox(Limits(), locked=True) as sandbox:
        yield sandbox


@pytest.mark.parametrize("path", sampled(FILES, lambda path: path.stem, home))
def test_equivalent_solution_gets_full_marks(
    path: Path, checks: Checks, sandbox: Sandbox, locked: Sandbox
) -> None:
    exercise = path.stem.split("__")[0]
    [submission] = find(path, None)
    grade, in_class = (
        Grader(checks, one, frozenset([exercise])).grade(submission) for one in (sandbox, locked)
    )
    assert (in_class.exercises, in_class.message) == (grade.exercises, grade.message)
    assert grade.status == "graded"
    messages = {check.message for graded in grade.exercises for check in graded.checks}
    assert messages <= ({"", ROUNDED} if "float32" in path.read_text() else {""})
    assert grade.points == grade.max_points > 0


def test_there_are_some_for_every_exercise(checks: Checks) -> None:
    names = {c.check.exercise.name for c in checks.collected}
    assert {path.stem.split("__")[0] for path in FILES} == names


@pytest.mark.parametrize("name", sampled(assignments()))
def test_solutions_have_the_same_points_at_home_as_in_class(
    name: str, checks: Checks, sandbox: Sandbox, locked: Sandbox, solutions: dict[str, str]
) -> None:
    submission = Submission("anna", Path(f"{name}.py"), name, solutions)
    grade, in_class = (
        Grader(checks, one, frozenset()).grade(submission) for one in (sandbox, locked)
    )
    assert in_class.exercises == grade.exercises
    assert grade.points == grade.max_points > 0
