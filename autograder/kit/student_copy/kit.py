"""Test that the kit works on this machine: the sandbox starts, and every visible check can run."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.course import assignments, assignments_folder, recorded_file, skeleton
from autograder.grading.grade import Outcome
from autograder.grading.in_turn import grade
from autograder.sandbox import Limits, open_sandbox
from autograder.submissions.finding import Submission, find


def test_every_assignment_is_there() -> None:
    assert assignments()
    for name in assignments():
        assert any((assignments_folder() / f"{name}{form}").exists() for form in (".py", ".ipynb"))
        assert recorded_file(name, ".replies").exists()


def test_the_skeletons_are_graded_as_missing() -> None:
    texts = {name: skeleton(name) for name in assignments()}
    given = [Submission("given", Path(f"{name}.py"), name, texts) for name in assignments()]
    with open_sandbox(Limits()) as sandbox:
        grades = grade(given, sandbox)
    outcomes = {exercise.outcome for grade in grades for exercise in grade.exercises}
    assert outcomes == {Outcome.MISSING}


@pytest.mark.parametrize("form", [".py", ".ipynb"])
def test_the_original_files_can_be_read(form: str) -> None:
    for name in assignments():
        [submission] = find(recorded_file(name, form), None)
        assert not submission.problem


def test_your_work_can_be_graded() -> None:
    """Check only that no check fails with an error; the points do not matter."""
    with open_sandbox(Limits()) as sandbox:
        grades = grade(find(assignments_folder(), None), sandbox)
    assert [g.message for g in grades if g.status == "needs_staff"] == []
