"""Ask checks with plain pytest, to debug them: `pytest autograder/checks --submission FOLDER`.

The submission runs in this process, so that a debugger can follow it: only for code that you
trust. The grader does not go this way; see autograder/grading/collect.py.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.channel import Course, ReferenceSide, Text
from autograder.comparison import Draw
from autograder.course import ASSIGNMENTS, SOLUTIONS, assignments, is_students_copy
from autograder.exercise import MARK
from autograder.grading import references
from autograder.grading.source_text import read_source


def pytest_addoption(parser: pytest.Parser) -> None:
    default = ASSIGNMENTS if is_students_copy() else SOLUTIONS
    parser.addoption("--submission", type=Path, default=default, help="a folder of modules")


def assignment(request: pytest.FixtureRequest) -> str:
    return request.path.stem.removeprefix("test_")


@pytest.fixture
def submission(request: pytest.FixtureRequest) -> Course:
    folder: Path = request.config.getoption("--submission")
    texts = {path.stem: read_source(path) for path in folder.glob("*.py")}
    return ReferenceSide(Text(assignment(request), texts, assignments())).course()


@pytest.fixture
def reference(request: pytest.FixtureRequest) -> Course:
    return references.load(assignment(request)).course()


@pytest.fixture
def draw(request: pytest.FixtureRequest) -> Draw:
    return Draw(getattr(request.function, MARK).exercise.name)
