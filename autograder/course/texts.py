"""The assignments of the course: their names, their texts, and what their headers say."""

from __future__ import annotations

import ast
import re
from functools import lru_cache
from pathlib import Path

from autograder.course import place
from autograder.course.skeletons import made_from

HEADER = re.compile(r"# ---\n((?:# \w+: .*\n)+)# ---\n")  # at the top of a solution
DEFINED = re.compile(r"^(?:class|def) (\w+)", re.MULTILINE)  # at the top level of a module or cell


def assignments() -> tuple[str, ...]:
    """The names of all assignments, in the order in which they are worked through."""
    return _assignments(place.folder())


def solution(assignment: str) -> str:
    """The text of an assignment's statement and reference. A student's copy has none."""
    return place.solution_file(assignment).read_text(encoding="utf-8")


def skeleton(assignment: str) -> str:
    """The text of an assignment's module as students are given it."""
    return _skeleton(place.folder(), assignment)


def inputs(assignment: str, exercise: str) -> tuple[str, ...]:
    """The names of an exercise's inputs, as its statement has them; none if it has no code."""
    return _inputs(place.folder(), assignment, exercise)


def about(text: str) -> dict[str, str]:
    """What the header of an assignment's text says of it: its order, hours and source."""
    header = HEADER.match(text)
    lines = header[1].splitlines() if header else []
    return dict(line.removeprefix("# ").split(": ", 1) for line in lines)


@lru_cache(maxsize=8)
def _assignments(folder: Path) -> tuple[str, ...]:
    orders = {name: about(_text(name)).get("order", "inf") for name in place.names()}
    return tuple(sorted(orders, key=lambda name: (float(orders[name]), name)))


def _text(assignment: str) -> str:
    if place.is_students_copy():
        return place.recorded_file(assignment, ".py").read_text(encoding="utf-8")
    return solution(assignment)


@lru_cache(maxsize=64)
def _skeleton(folder: Path, assignment: str) -> str:
    text = _text(assignment)
    return text if place.is_students_copy() else made_from(text)


@lru_cache(maxsize=256)
def _inputs(folder: Path, assignment: str, exercise: str) -> tuple[str, ...]:
    for node in ast.parse(skeleton(assignment)).body:
        if getattr(node, "name", "") == exercise:
            bodies = {"forward", "__call__"} if isinstance(node, ast.ClassDef) else {exercise}
            functions = [f for f in ast.walk(node) if isinstance(f, ast.FunctionDef)]
            named = [arg.arg for f in functions if f.name in bodies for arg in f.args.args]
            return tuple(name for name in named if name != "self")
    return ()
