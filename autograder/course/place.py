"""Find the course of this process: a folder with one folder per assignment.

    solutions/course.toml                       the course's name, and what its instructor chooses
    solutions/<assignment>/<assignment>.py      statement and reference
    solutions/<assignment>/test_<assignment>.py its checks
    solutions/<assignment>/misconceptions.toml  known mistakes
    solutions/<assignment>/symptoms.toml        what else its checks may show, if anything
    solutions/<assignment>/right, wrong         solutions whose grade is known
    solutions/<assignment>/equivalents.toml     changes of right solutions that leave them right
    solutions/<assignment>/<assignment>.de.md   the statement in German, if there is one
    solutions/texts                             an instructor's own texts, if there are any

assignments/, build/ and the course secret are next to that folder. A student's copy has
`autograder/recorded` instead: skeletons, visible checks and the references' recorded answers.
"""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path

from autograder import parsing
from autograder.course.declaration import Declaration, parsed
from autograder.errors import CourseError, UsageError
from autograder.parsing import DamagedData

ENGINE = Path(__file__).resolve().parents[1]  # the package
DEFAULT = ENGINE.parent / "solutions"
RECORDED = ENGINE / "recorded"
VARIABLE = "AUTOGRADER_COURSE"  # environment variable, which child processes inherit
DECLARATION = "course.toml"
RESTORE = "Correct it, or put the file back as it was."


MOST = 10_000_000  # bytes of a file of the course


class NoCourse(UsageError):
    """A folder is not a course; the text says why and what to do."""


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
    return parsed(found, path)


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
    """Return the names of the assignments, in any order. Raises CourseError."""
    if is_students_copy():
        return [path.stem for path in RECORDED.glob("*.py")]
    path, chosen, own = folder() / DECLARATION, declared(), _found_in(folder())
    for name in chosen.take_over:
        if name in own:
            raise CourseError(f"{path}: {name} is taken over, and is in {folder()}. Delete one.")
        if name not in _found_in(DEFAULT):
            kits = ", ".join(sorted(_found_in(DEFAULT)))
            raise CourseError(f"{path}: {name} cannot be taken over. The kit's course has {kits}.")
    known = [*own, *chosen.take_over]
    for name in chosen.assignments.keys() - {*known}:
        has = ", ".join(sorted(known))
        raise CourseError(f"{path}: there is no assignment {name}. The course has {has}.")
    kept = [name for name in known if not chosen.leaves_out(name)]
    if known and not kept:
        raise CourseError(f"{path} leaves out every assignment. Keep one.")
    return kept


def readable() -> list[str]:
    """Return all assignments whose solutions can be read, those too that are left out."""
    if is_students_copy():
        return []
    kits = _found_in(DEFAULT) if declared().take_over else []
    return [*dict.fromkeys([*_found_in(folder()), *kits])]


def _found_in(course: Path) -> list[str]:
    return [path.parent.name for path in course.glob("*/*.py") if path.stem == path.parent.name]


def solution_file(assignment: str) -> Path:
    """Return the module with an assignment's statement and reference."""
    own = folder() / assignment / f"{assignment}.py"
    kits = DEFAULT / assignment / own.name
    return kits if not own.exists() and kits.exists() and declared().take_over else own


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
    if is_students_copy():  # others may lie there, from which these import
        own = {*names()}
        there = folder().glob("checks/test_*.py")
        return sorted(path for path in there if path.stem.removeprefix("test_") in own)
    chosen = declared()
    taken = (solution_file(name).with_name(f"test_{name}.py") for name in chosen.take_over)
    files = {*folder().glob("*/test_*.py"), *taken}
    return sorted(path for path in files if not chosen.leaves_out(path.parent.name))


def check_folders() -> list[Path]:
    """Return the folders of all check files that can be imported."""
    if is_students_copy():
        return [RECORDED / "checks"]
    return sorted({solution_file(name).parent for name in readable()})


def corpus(assignment: str, kind: str) -> list[Path]:
    """Return the solutions in an assignment's folder `right` or `wrong`, no hidden files."""
    found = (solution_file(assignment).parent / kind).glob("*.py")
    return sorted(path for path in found if not path.name.startswith("."))
