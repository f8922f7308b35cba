"""The assignments of the course: their names, solutions and headers."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from autograder.course import place
from autograder.errors import CourseError

HEADER = re.compile(r"# ---\n((?:# \w+: .*\n)+)# ---\n")  # at the top of a solution
DEFINED = re.compile(r"^(?:class|def) (\w+)", re.MULTILINE)  # at the top level of a module or cell
DECLARED = re.compile(r"""\bExercise\(\s*["'](\w+)["']""")  # in the checks of an assignment


def assignments() -> tuple[str, ...]:
    """Return the names of all assignments, in the order of the course. Raises CourseError."""
    return _assignments(place.folder())


def sources() -> tuple[str, ...]:
    """Return the assignments whose solutions can be read, those too that are left out, in order.

    A reference may be built on any of them.
    """
    return _sources(place.folder())


def solution(assignment: str) -> str:
    """Return the text of an assignment's statement and reference; not in a student's copy.

    Raises CourseError.
    """
    return place.text_of(place.solution_file(assignment))


def exercises() -> frozenset[str]:
    """Return the names of all exercises, as the check files declare them. Raises CourseError."""
    return _exercises(place.folder())


def declared_in(checks: Path) -> list[str]:
    """Return the names of the exercises that a check file declares, in its order."""
    return DECLARED.findall(place.text_of(checks))


def about(text: str) -> dict[str, str]:
    """Return the fields of an assignment's header: order, hours and source."""
    header = HEADER.match(text)
    lines = header[1].rstrip("\n").split("\n") if header else []
    return dict(line.removeprefix("# ").split(": ", 1) for line in lines)


@lru_cache(maxsize=8)
def _exercises(folder: Path) -> frozenset[str]:
    declared = place.declared()
    known = frozenset(name for path in place.check_files() for name in declared_in(path))
    for name in declared.exercises.keys() - known:
        raise CourseError(
            f"{folder / place.DECLARATION}: there is no exercise {name} in the assignments of the "
            f"course. Delete [exercises.{name}], or correct the name: there are "
            f"{', '.join(sorted(known))}."
        )
    return known - declared.left_out()


@lru_cache(maxsize=8)
def _assignments(folder: Path) -> tuple[str, ...]:
    return _in_order(place.names())


@lru_cache(maxsize=8)
def _sources(folder: Path) -> tuple[str, ...]:
    return _in_order(place.readable())


def _in_order(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(names, key=lambda name: (_order(name), name)))


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
