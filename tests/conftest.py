"""What the tests share: one sandbox, one grader, and the command line."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from autograder.course import CHECKS, ROOT, SOLUTIONS, assignments
from autograder.grading.collect import Checks, collect
from autograder.grading.grade import ExerciseGrade, Grade
from autograder.grading.grader import Grader
from autograder.grading.submissions import Submission, read_source
from autograder.sandbox import Limits, Sandbox, open_sandbox

GradeText = Callable[..., Grade]


@pytest.fixture(scope="session")
def solutions() -> dict[str, str]:
    """The text of each solution, by assignment."""
    return {name: read_source(SOLUTIONS / f"{name}.py") for name in assignments()}


@pytest.fixture(scope="session")
def checks() -> Checks:
    return collect(CHECKS)


@pytest.fixture(scope="session")
def sandbox() -> Iterator[Sandbox]:
    """A sandbox with little patience: a second for each question."""
    with open_sandbox(Limits(seconds=1.0, grace=1.0)) as sandbox:
        yield sandbox


@pytest.fixture(scope="session")
def grade_text(checks: Checks, sandbox: Sandbox, solutions: dict[str, str]) -> GradeText:
    """Grade a module given as text; the other assignments' modules beside it are right."""

    def grade(text: str, stem: str = "attention_layer", exercise: str = "") -> Grade:
        grader = Grader(checks, sandbox, frozenset([exercise] if exercise else []))
        assignment = stem if stem in assignments() else None
        texts = {**solutions, stem: text}
        return grader.grade(Submission("anna", Path(f"{stem}.py"), assignment, texts))

    return grade


@pytest.fixture(scope="session")
def command() -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run `python -m autograder` with the arguments given."""

    def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "autograder", *map(str, arguments)],
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    return run


def of(grade: Grade, exercise: str) -> ExerciseGrade:
    """The grade of one exercise."""
    return next(graded for graded in grade.exercises if graded.name == exercise)
