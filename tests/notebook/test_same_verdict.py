"""The verdict on cells that were run is that on the file, for code known to be right or wrong."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest
from conftest import sampled

from autograder.checking.collect import Checks
from autograder.course import DEFINED, assignments, corpus, skeleton, solution
from autograder.diagnosis.naming import namer
from autograder.grading.grade import ExerciseGrade
from autograder.grading.grader import Grader
from autograder.sandbox import Sandbox
from autograder.submissions.cells import submission, submissions
from autograder.submissions.finding import Submission, find
from autograder.submissions.work import exercises_of

# ALL=1 in the environment grades all of it, which takes minutes.
EACH = 1 if os.environ.get("ALL") else 20
KNOWN = [
    path for one in assignments() for kind in ("right", "wrong") for path in corpus(one, kind)
][::EACH]
LABEL = "In [3]"


def named(path: Path) -> str:
    return f"{path.parent.parent.name}/{path.parent.name}/{path.stem}"


@pytest.mark.parametrize("path", sampled(KNOWN, named, lambda path: str(path.parent)))
def test_cells_and_file_get_the_same_verdict(
    path: Path, tmp_path: Path, checks: Checks, sandbox: Sandbox
) -> None:
    assignment, exercise = path.parent.parent.name, path.stem.partition("__")[0]
    for earlier in assignments()[: assignments().index(assignment)]:
        (tmp_path / f"{earlier}.py").write_text(solution(earlier))
    text = path.read_text(encoding="utf-8")
    file = tmp_path / f"{assignment}.py"
    file.write_text(text, encoding="utf-8")
    [as_file] = find(file, assignment)
    file.unlink()
    as_cells = submission(tmp_path, [(LABEL, text, "")], assignment)
    grader = Grader(checks, sandbox, frozenset([exercise]), diagnosing=namer)
    found = [verdict(grader, one, file.name) for one in (as_file, as_cells)]
    assert found[0] == found[1]


def test_cells_belong_to_the_assignment_whose_exercises_they_define(tmp_path: Path) -> None:
    """Not to one whose skeleton has other functions of their names, as for training."""
    first, last = assignments()[0], assignments()[-1]
    others = {*DEFINED.findall(skeleton(last))} - exercises_of(last)
    own = min(exercises_of(first))
    text = "\n".join(f"def {name}(x):\n    return x\n" for name in [own, *sorted(others)])
    found = [one.submission for one in submissions(tmp_path, [(LABEL, text, "")])]
    assert [one.assignment for one in found if one.path.parent == tmp_path] == [first]


def verdict(grader: Grader, submitted: Submission, name: str) -> ExerciseGrade:
    """Return the grade of one exercise, with the same name for both kinds of places."""
    [exercise] = grader.grade(submitted).exercises
    checks = tuple(
        replace(check, message=check.message.replace(LABEL, name)) for check in exercise.checks
    )
    return replace(exercise, checks=checks, example=None)
