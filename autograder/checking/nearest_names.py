"""Say what is known of a name that is no exercise, and which exercise may be meant."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches

from autograder import course
from autograder.course.cells import binds, cells, reads

LIKENESS = 0.6  # of a mistyped name to the exercise's name that is suggested: generous


def said_of(name: str, homes: Mapping[str, str]) -> str:
    """Return a sentence about a name that is no exercise. homes: each exercise's assignment."""
    if own := [exercise for exercise, home in homes.items() if home == name]:
        return f"It is an assignment, with {', '.join(own)}."
    for assignment in dict.fromkeys(homes.values()):
        exercises = [exercise for exercise, home in homes.items() if home == assignment]
        defined = course.DEFINED.findall(course.skeleton(assignment))
        if name not in defined:
            continue
        for exercise in exercises:
            if name in _parts(assignment, exercise):
                return f"{name} is a part of {exercise}, and is graded with it."
        if typo := nearest(name, {*exercises} - {*defined}, LIKENESS):
            return (
                f"test_{assignment}.py declares {typo}, which {assignment}.py does not define: "
                f"was {name} meant there?"
            )
    if close := nearest(name, homes, LIKENESS):
        return f"Was {close} meant?"
    return f"The exercises are: {', '.join(homes)}."


def nearest(name: str, others: Iterable[str], likeness: float) -> str | None:
    """Return the most similar of other names, ignoring case. likeness: least similarity, 0 to 1."""
    by_small = {other.lower(): other for other in others}
    found = get_close_matches(name.lower(), by_small, n=1, cutoff=likeness)
    return by_small[found[0]] if found else None


def _parts(assignment: str, exercise: str) -> set[str]:
    """Return the names that the reference of an exercise uses, also by way of others.

    A student's copy, which has no reference, has the names above it of which its statement speaks.
    """
    if course.is_students_copy():
        return _spoken_of(assignment, exercise)
    used: dict[str, set[str]] = {}
    for statement in ast.parse(course.solution(assignment)).body:
        for bound in binds(statement):
            used.setdefault(bound, set()).update(reads(statement))
    found, new = set[str](), {exercise}
    while new:
        found |= new
        new = set[str]().union(*(used.get(one, set()) for one in new)) - found
    return found


def _spoken_of(assignment: str, exercise: str) -> set[str]:
    """Return the names that are defined above an exercise and read or named below their code."""
    found, above = set[str](), set[str]()
    for cell in cells(course.skeleton(assignment), ()):
        if not cell.is_demonstration:
            words = {*re.findall(r"\w+", cell.rest)}
            found |= words & above
        if cell.is_code:
            above |= cell.binds
            if exercise in cell.binds:
                return found
    return set()
