"""Make the statements that students get out of the solutions, as `course.toml` chooses them."""

from __future__ import annotations

import ast
import re
from functools import lru_cache
from pathlib import Path

from autograder.course import leaving_out, place
from autograder.course.formulas import as_text
from autograder.course.replaced import replaced, unknown
from autograder.course.skeletons import UnmatchedMarker, made_from
from autograder.course.texts import (
    DEFINED,
    assignments,
    declared_in,
    exercises,
    solution,
    sources,
)
from autograder.errors import CourseError

PROGRAM = re.compile(r"^if __name__ == ", re.MULTILINE)  # begins what a module does as a program
TITLE = re.compile(r"^# # .+\n", re.MULTILINE)
OPTIONAL = "#\n# **This assignment is optional**: its points are extra.\n"
LIMITED = "#\n# **You have {} minutes**, from when you begin to read.\n"


class CannotLeaveOut(CourseError):
    """An exercise is left out that others are built on, but whose code holds an answer."""


def statement(assignment: str) -> str:
    """Return the solution as it is chosen: what students' files are made from.

    Code of exercises that are left out, on which others are built, stands in it without the markers
    of what students write. Not in a student's copy. Raises CourseError.
    """
    return _statement(place.folder(), assignment)


def notebook_skeleton(assignment: str) -> str:
    """Return the text of the notebook that students get; not in a student's copy.

    It is the module's, with formulas also as LaTeX. Raises CourseError.
    """
    try:
        return made_from(statement(assignment))
    except UnmatchedMarker as problem:
        raise UnmatchedMarker(f"{place.solution_file(assignment)}, {problem}") from None


def skeleton(assignment: str) -> str:
    """Return the text of the module that students get for an assignment."""
    return _skeleton(place.folder(), assignment)


def program() -> str:
    """Return the last assignment that runs as a program, or the last one if none does."""
    programs = (name for name in reversed(assignments()) if PROGRAM.search(skeleton(name)))
    return next(programs, assignments()[-1])


def given() -> frozenset[str]:
    """Return the exercises whose code students' files hold, since others are built on it.

    Not in a student's copy, which has none.
    """
    return frozenset() if place.is_students_copy() else _given(place.folder())


def untranslated() -> list[str]:
    """Return a line for each assignment with texts that the course's language lacks."""
    language, lines = place.declared().language, list[str]()
    for name in assignments() if language else ():
        _, missing = replaced(solution(name), name, _own(name))
        if missing:
            lines.append(f"{name}.{language}.md has no text for: {'; '.join(missing)}.")
    return lines


def inputs(assignment: str, exercise: str) -> tuple[str, ...]:
    """Return the names of an exercise's inputs in its skeleton; none if they are not found."""
    return _inputs(place.folder(), assignment, exercise)


@lru_cache(maxsize=64)
def _statement(folder: Path, assignment: str) -> str:
    for path in unknown((*exercises(), *assignments())):
        raise CourseError(
            f"{path}: the course asks for nothing called {path.stem}. Name the file after an "
            "exercise or an assignment, or README.md."
        )
    own, asked = _own(assignment), exercises()
    text, _ = replaced(solution(assignment), assignment, own)
    text, given = leaving_out.expanded(text, _with_imports, _defined)
    if not asked.issuperset(own):
        text, code = leaving_out.without(text, own, asked)
        given += code
    for home in assignments() if given else ():
        if answered := leaving_out.answered(given, solution(home), _own(home), asked):
            raise CannotLeaveOut(
                f"{folder / place.DECLARATION}: exercises of {assignment} are built on one that is "
                f"left out, and its code, which students would be given, answers {answered}. "
                f"Leave out {answered} too, or ask for the other one."
            )
    return _with_remarks(text, assignment)


def _with_remarks(text: str, assignment: str) -> str:
    """Return a statement that says whether it is optional, and how much time there is."""
    declared = place.declared()
    said = OPTIONAL * (assignment in declared.optional())
    if minutes := declared.minutes(assignment):
        said += LIMITED.format(minutes)
    return TITLE.sub(lambda title: title[0] + said, text, count=1)


def _own(assignment: str) -> list[str]:
    """Return all exercises of an assignment, those too that are left out."""
    checks = place.solution_file(assignment).with_name(f"test_{assignment}.py")
    return declared_in(checks) if checks.exists() else []


def _with_imports(assignment: str) -> str | None:
    """Return a solution, with what it imports and students lack; None if it is no assignment."""
    if assignment not in sources():
        return None
    return leaving_out.expanded(solution(assignment), _with_imports, _defined)[0]


def _defined(assignment: str) -> list[str]:
    """Return what students can import from an assignment."""
    return DEFINED.findall(statement(assignment)) if assignment in assignments() else []


@lru_cache(maxsize=4)
def _given(folder: Path) -> frozenset[str]:
    names = {name for one in assignments() for name in DEFINED.findall(statement(one))}
    known = {name for one in sources() for name in _own(one)}
    return frozenset(names & known - exercises())


@lru_cache(maxsize=64)
def _skeleton(folder: Path, assignment: str) -> str:
    if place.is_students_copy():
        return place.text_of(place.recorded_file(assignment, ".py"))
    return as_text(notebook_skeleton(assignment))


@lru_cache(maxsize=256)
def _inputs(folder: Path, assignment: str, exercise: str) -> tuple[str, ...]:
    for node in ast.parse(skeleton(assignment)).body:
        if getattr(node, "name", "") == exercise:
            bodies = {"forward", "__call__"} if isinstance(node, ast.ClassDef) else {exercise}
            functions = [f for f in ast.walk(node) if isinstance(f, ast.FunctionDef)]
            named = [arg.arg for f in functions if f.name in bodies for arg in f.args.args]
            return tuple(name for name in named if name != "self")
    return ()
