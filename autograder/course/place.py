"""Find the course of this process: a folder with one folder per assignment.

    solutions/course.toml                       the course's name
    solutions/<assignment>/<assignment>.py      statement and reference
    solutions/<assignment>/test_<assignment>.py its checks
    solutions/<assignment>/misconceptions.toml  known mistakes
    solutions/<assignment>/symptoms.toml        what else its checks may show, if anything
    solutions/<assignment>/right, wrong         solutions whose grade is known
    solutions/<assignment>/equivalents.toml     changes of right solutions that leave them right

assignments/, build/ and the course secret are next to that folder. A student's copy has
`autograder/recorded` instead: skeletons, visible checks and the references' recorded answers.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, fields
from functools import lru_cache
from pathlib import Path

from autograder import parsing
from autograder.errors import CourseError, UsageError
from autograder.parsing import DamagedData

ENGINE = Path(__file__).resolve().parents[1]  # the package
DEFAULT = ENGINE.parent / "solutions"
RECORDED = ENGINE / "recorded"
VARIABLE = "AUTOGRADER_COURSE"  # environment variable, which child processes inherit
DECLARATION = "course.toml"
RESTORE = "Put the file back as it was."


MOST = 10_000_000  # bytes of a file of the course


class NoCourse(UsageError):
    """A folder is not a course; the text says why and what to do."""


@dataclass(frozen=True)
class Declaration:
    """A course's `course.toml`.

    title: heading of the list of its assignments. id: the course's id in nbgrader. introduction: a
    sentence below that heading, or "". payoff: what a student who has finished can look at, or "".
    """

    title: str
    id: str
    introduction: str = ""
    payoff: str = ""


def use(place: Path) -> None:
    """Use the course in this folder, in this process and its children. Raises NoCourse.

    Call it before any other function of the course.
    """
    if not os.path.lexists(place / DECLARATION):
        raise NoCourse(
            f"{place} is not a course: it has no {DECLARATION}. Give the folder that holds one "
            "folder per assignment."
        )
    os.environ[VARIABLE] = os.path.realpath(place)


def folder() -> Path:
    """Return the course's folder; in a student's copy, the one that replaces it."""
    return _folder(os.environ.get(VARIABLE, ""))


@lru_cache(maxsize=8)
def _folder(named: str) -> Path:
    if named:
        return Path(named)
    return DEFAULT if DEFAULT.is_dir() else RECORDED


def declared() -> Declaration:
    """Read the course's declaration. Raises CourseError."""
    path = folder() / DECLARATION
    try:
        found = parsing.read_linked(path, MOST, parsing.toml)
    except DamagedData as problem:
        raise CourseError(f"{path} cannot be read: {problem}. {RESTORE}") from None
    found = {"introduction": "", "payoff": "", **found}
    for field in fields(Declaration):
        if not isinstance(found.get(field.name), str):
            raise CourseError(f'{path} has no {field.name}. Write {field.name} = "…".')
    for key in found.keys() - {field.name for field in fields(Declaration)}:
        raise CourseError(f"{path} has {key}, which is not known. Delete it.")
    return Declaration(**found)


def text_of(path: Path) -> str:
    """Return the text of a file of the course. Raises CourseError."""
    try:
        return parsing.read_linked(path, MOST, parsing.text)
    except DamagedData as problem:
        raise CourseError(f"{path} cannot be read: {problem}. {RESTORE}") from None


def is_default() -> bool:
    """Return whether this is the course next to the engine."""
    return folder() in (DEFAULT, RECORDED)


def is_students_copy() -> bool:
    """Return whether this is a student's copy, which holds no solutions."""
    return folder() == RECORDED


def root() -> Path:
    """Return the folder that contains the course, assignments/ and build/."""
    return ENGINE.parent if is_students_copy() else folder().parent


def assignments_folder() -> Path:
    """Return the folder of the files that students fill in."""
    return root() / "assignments"


def names() -> list[str]:
    """Return the names of the assignments, in any order."""
    if is_students_copy():
        return [path.stem for path in RECORDED.glob("*.py")]
    return [path.parent.name for path in folder().glob("*/*.py") if path.stem == path.parent.name]


def solution_file(assignment: str) -> Path:
    """Return the module with an assignment's statement and reference."""
    return folder() / assignment / f"{assignment}.py"


def recorded_file(assignment: str, ending: str) -> Path:
    """Return an assignment's file in a student's copy. ending: such as `.py` or `.replies`."""
    return RECORDED / f"{assignment}{ending}"


def symptoms_file(assignment: str) -> Path:
    """Return the file of the symptoms that an assignment's own checks may show."""
    if is_students_copy():
        return recorded_file(assignment, ".toml")
    return solution_file(assignment).with_name("symptoms.toml")


def check_files() -> list[Path]:
    """Return the check files of all assignments."""
    pattern = "checks/test_*.py" if is_students_copy() else "*/test_*.py"
    return sorted(folder().glob(pattern))


def corpus(assignment: str, kind: str) -> list[Path]:
    """Return the solutions in an assignment's folder `right` or `wrong`, no hidden files."""
    found = (folder() / assignment / kind).glob("*.py")
    return sorted(path for path in found if not path.name.startswith("."))
