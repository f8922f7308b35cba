"""Add up the points of several assignments, some of which may be optional."""

from __future__ import annotations

from collections.abc import Iterable

from autograder import course
from autograder.grading.grade import Grade


def is_optional(assignment: str | None) -> bool:
    """Return whether an assignment is optional: its points are extra."""
    return assignment in course.declared().optional()


def total(grades: Iterable[Grade]) -> str:
    """Return the points, such as 97/119; those of optional assignments stand apart from the rest.

    They are part of no total, so that nobody is asked for them.
    """
    asked, extra = list[Grade](), list[Grade]()
    for grade in grades:
        (extra if is_optional(grade.assignment) else asked).append(grade)
    parts = [_sum(asked)] if asked or not extra else []
    return ", ".join([*parts, *([f"{_sum(extra)} optional"] if extra else [])])


def _sum(grades: list[Grade]) -> str:
    return f"{sum(one.points for one in grades):g}/{sum(one.max_points for one in grades):g}"
