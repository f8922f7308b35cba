"""Decide whether code holds work: whether an exercise in it is more than what was released."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from autograder.course import DEFINED, assignments, skeleton
from autograder.submissions.bindings import binds, does_nothing
from autograder.submissions.imports import is_imported
from autograder.submissions.source_text import code_lines

INSIDE = " )"  # what begins the lines of a definition, except the first


def is_in(lines: Sequence[str], assignment: str) -> bool:
    """Return whether lines of code define or change an exercise, or import it from earlier work.

    A definition that does nothing is none, however it is written, nor is one as it was released.
    """
    exercises = exercises_of(assignment)
    rest = "\n".join(line for block in _blocks(lines) for line in _written(block, assignment))
    earlier = {*assignments()} - {assignment}
    is_changed = _change(assignment).search(rest)
    return binds(rest, exercises) or bool(is_changed) or is_imported(rest, earlier, exercises)


def is_defined(lines: Sequence[str], assignment: str) -> bool:
    """Return whether lines, maybe of prose, define an exercise that is written."""
    return any(
        _is_exercise(block, assignment) and _written(block, assignment) for block in _blocks(lines)
    )


def _blocks(lines: Sequence[str]) -> Iterator[list[str]]:
    """Yield the statements at the top level, each with the lines inside it."""
    block: list[str] = []
    for line in lines:
        if line[0] not in INSIDE and block:
            yield block
            block = []
        block.append(line)
    yield block


def _written(block: list[str], assignment: str) -> list[str]:
    """Return the lines of a statement; none of an exercise that is not written yet."""
    if _is_exercise(block, assignment):
        is_unwritten = block in _released(assignment) or does_nothing("\n".join(block))
        return [] if is_unwritten else block
    return block


def _is_exercise(block: list[str], assignment: str) -> bool:
    """Return whether a statement defines an exercise."""
    known = DEFINED.match(block[0]) if block else None
    return known is not None and known[1] in exercises_of(assignment)


@cache
def exercises_of(assignment: str) -> frozenset[str]:
    """Return the names of the exercises that an assignment's skeleton defines."""
    return frozenset(DEFINED.findall(skeleton(assignment)))


@cache
def _released(assignment: str) -> list[list[str]]:
    return [*_blocks(code_lines(skeleton(assignment)))]


@cache
def _change(assignment: str) -> re.Pattern[str]:
    """Return a pattern of lines that change a class: its attributes, or by a decorator."""
    names = "|".join(sorted(exercises_of(assignment)))
    return re.compile(
        rf"\b(?:{names})\.\w+[ \t]*=(?!=)|\bsetattr\([ \t]*(?:{names})\b"
        rf"|^[ \t]*@[\w.]+\([^)\n]*\b(?:{names})\b",
        re.MULTILINE,
    )
