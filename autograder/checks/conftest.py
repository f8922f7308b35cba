"""Ask checks with plain pytest, to debug them: `pytest autograder/checks --submission FOLDER`.

The submission runs in this process, so that a debugger can follow it: only for code that you
trust. The grader does not go this way; see autograder/grading/collect.py.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.channel import Course, ReferenceSide, Text
from autograder.comparison import Draw
from autograder.course import SOLUTIONS, assignments
from autograder.grading.submissions import read_source


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--submission", type=Path, default=SOLUTIONS, help="a folder of modules")


def course(folder: Path, request: pytest.FixtureRequest) -> Course:
    stem = request.path.stem.removeprefix("test_")
    texts = {path.stem: read_source(path) for path in folder.glob("*.py")}
    return ReferenceSide(Text(stem, texts, assignments())).course()


@pytest.fixture
def submission(request: pytest.FixtureRequest) -> Course:
    return course(request.config.getoption("--submission"), request)


@pytest.fixture
def reference(request: pytest.FixtureRequest) -> Course:
    return course(SOLUTIONS, request)


@pytest.fixture
def draw(request: pytest.FixtureRequest) -> Draw:
    return Draw(request.node.name)
