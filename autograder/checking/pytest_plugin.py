"""Run checks with plain pytest, to debug them: `pytest solutions --submission FOLDER`.

The submission runs in this process, so that a debugger can follow it: use it only for code that
you trust. The grader does not use pytest; see autograder/checking/collect.py. pyproject.toml
declares this module as a plugin of pytest.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from autograder import course

if TYPE_CHECKING:
    from autograder.checking import Draw
    from autograder.client import Client


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--submission", type=Path, help="a folder with modules of the assignments")


def pytest_configure(config: pytest.Config) -> None:
    """Let check files import each other, if any of them are to run."""
    if any(
        Path(argument.split("::")[0]).resolve().is_relative_to(course.folder())
        for argument in config.args
    ):
        sys.path += map(str, course.check_folders())


def assignment(request: pytest.FixtureRequest) -> str:
    return request.path.stem.removeprefix("test_")


@pytest.fixture
def submission(request: pytest.FixtureRequest) -> Client:
    from autograder.client import LiveReference, Text

    names = course.sources() or course.assignments()  # a student's copy has no solutions
    folder: Path | None = request.config.getoption("--submission")
    found = {name: _in_folder(folder, name) if folder else [_default(name)] for name in names}
    texts = {
        name: path.read_text(encoding="utf-8") for name, paths in found.items() for path in paths
    }
    return LiveReference(Text(assignment(request), texts, names)).client()


@pytest.fixture
def reference(request: pytest.FixtureRequest) -> Client:
    from autograder.client import loading

    return loading.load(assignment(request)).client()


@pytest.fixture
def draw(request: pytest.FixtureRequest) -> Draw:
    from autograder.checking import Draw
    from autograder.course.exercise import MARK

    return Draw(getattr(request.function, MARK).exercise.name)


def _in_folder(folder: Path, name: str) -> list[Path]:
    """Return the module of an assignment in a folder, or in its subfolder of that name, if any."""
    places = (folder / f"{name}.py", folder / name / f"{name}.py")
    return [path for path in places if path.exists()][:1]


def _default(name: str) -> Path:
    """Return the solution's file, or in a student's copy the student's own."""
    if course.is_students_copy():
        return course.assignments_folder() / f"{name}.py"
    return course.solution_file(name)
