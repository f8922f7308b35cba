"""The assignments of the course: their names, texts and headers."""

from __future__ import annotations

import ast
import math
import re
from functools import lru_cache
from pathlib import Path

from autograder.course import place
from autograder.course.formulas import as_text
from autograder.course.skeletons import UnmatchedMarker, made_from
from autograder.errors import CourseError

HEADER = re.compile(r"# ---\n((?:# \w+: .*\n)+)# ---\n")  # at the top of a solution
DEFINED = re.compile(r"^(?:class|def) (\w+)", re.MULTILINE)  # at the top level of a module or cell
PROGRAM = re.compile(r"^if __name__ == ", re.MULTILINE)  # begins what a module does as a program
DECLARED = re.compile(r"""\bExercise\(\s*["'](\w+)["']""")  # in the checks of an assignment


def assignments() -> tuple[str, ...]:
    """Return the names of all assignments, in the order of the course. Raises CourseError."""
    return _assignments(place.folder())


def solution(assignment: str) -> str:
    """Return the text of an assignment's statement and reference; not in a student's copy.

    Raises CourseError.
    """
    return place.text_of(place.solution_file(assignment))


def skeleton(assignment: str) -> str:
    """Return the text of the module that students get for an assignment."""
    return _skeleton(place.folder(), assignment)


def program() -> str:
    """Return the last assignment that runs as a program, or the last one if none does."""
    programs = (name for name in reversed(assignments()) if PROGRAM.search(skeleton(name)))
    return next(programs, assignments()[-1])


def exercises() -> frozenset[str]:
    """Return the names of all exercises, as the check files declare them. Raises CourseError."""
    return _exercises(place.folder())


def notebook_skeleton(assignment: str) -> str:
    """Return the text of the notebook that students get; not in a student's copy.

    It is the module's, with formulas also as LaTeX. Raises CourseError.
    """
    try:
        return made_from(solution(assignment))
    except UnmatchedMarker as problem:
        raise UnmatchedMarker(f"{place.solution_file(assignment)}, {problem}") from None


def inputs(assignment: str, exercise: str) -> tuple[str, ...]:
    """Return the names of an exercise's inputs in its skeleton; none if they are not found."""
    return _inputs(place.folder(), assignment, exercise)


def about(text: str) -> dict[str, str]:
    """Return the fields of an assignment's header: order, hours and source."""
    header = HEADER.match(text)
    lines = header[1].rstrip("\n").split("\n") if header else []
    return dict(line.removeprefix("# ").split(": ", 1) for line in lines)


@lru_cache(maxsize=8)
def _exercises(folder: Path) -> frozenset[str]:
    texts = map(place.text_of, place.check_files())
    return frozenset(name for text in texts for name in DECLARED.findall(text))


@lru_cache(maxsize=8)
def _assignments(folder: Path) -> tuple[str, ...]:
    return tuple(sorted(place.names(), key=lambda name: (_order(name), name)))


def _order(assignment: str) -> float:
    """Return an assignment's place in the course, by its header; the last if it has none."""
    order = about(_text(assignment)).get("order", "inf")
    try:
        position = float(order)
    except ValueError:
        position = math.nan
    if math.isnan(position):
        path = place.solution_file(assignment)
        raise CourseError(f"{path}: order is {order!r}. Write a number, such as 6 or 6.5.")
    return position


def _text(assignment: str) -> str:
    if place.is_students_copy():
        return place.text_of(place.recorded_file(assignment, ".py"))
    return solution(assignment)


@lru_cache(maxsize=64)
def _skeleton(folder: Path, assignment: str) -> str:
    if place.is_students_copy():
        return _text(assignment)
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
