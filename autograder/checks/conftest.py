"""Run checks with plain pytest, to debug them: `pytest autograder/checks --submission PATH`.

The grader does not go this way; it calls the same functions itself (see grading/collect.py).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from autograder.channel import Course, ReferenceSide, SubmissionSide, Text
from autograder.comparison import Draw
from autograder.course import SOLUTIONS, assignments
from autograder.grading.submissions import read_source
from autograder.sandbox import Limits, Sandbox, open_sandbox


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--submission", type=Path, default=SOLUTIONS, help="a folder of modules")


@pytest.fixture(scope="session")
def sandbox() -> Iterator[Sandbox]:
    with open_sandbox(Limits()) as sandbox:
        yield sandbox


def text(folder: Path, request: pytest.FixtureRequest) -> Text:
    stem = request.path.stem.removeprefix("test_")
    texts = {name: read_source(folder / f"{name}.py") for name in assignments()}
    return Text(stem, texts, assignments())


@pytest.fixture
def submission(sandbox: Sandbox, request: pytest.FixtureRequest) -> Iterator[Course]:
    side = SubmissionSide(sandbox, text(request.config.getoption("--submission"), request))
    yield side.course()
    side.end()


@pytest.fixture
def reference(request: pytest.FixtureRequest) -> Course:
    return ReferenceSide(text(SOLUTIONS, request)).course()


@pytest.fixture
def draw(request: pytest.FixtureRequest) -> Draw:
    return Draw(request.node.name)
