"""Exercises and their checks, as check files declare them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from autograder.errors import CourseError

F = TypeVar("F", bound=Callable[..., None])
LONGEST = 66  # characters of a title: with points and a glyph it fills a line of 80
MARK = "__check__"  # attribute of a check function that holds its Check


class ExerciseBroken(CourseError):
    """A check or a reference does not work as its author has written it; the text says where."""


@dataclass(frozen=True, eq=False)  # compared by identity: fast, and each is declared once
class Exercise:
    """An exercise.

    needs: the exercises that must be right before it can be graded. may_use: others of which a
    right solution may make use, and that leave it enough to do. If one of these is wrong, this
    exercise is graded with a substitute, which gives the right results: list none that does all of
    what this one asks for.

    head = Exercise("AttentionHead", needs=(query_key_value, scaled_dot_product))

    @head.check(points=3)
    def test_head_agrees(submission, reference, draw):
        \"\"\"Agrees with the reference\"\"\"
    """

    name: str
    needs: tuple[Exercise, ...] = ()
    may_use: tuple[Exercise, ...] = ()

    def __post_init__(self) -> None:
        for key, others in (("needs", self.needs), ("may_use", self.may_use)):
            if not isinstance(others, tuple) or not all(isinstance(e, Exercise) for e in others):
                raise CourseError(
                    f"{key} of {self.name} is no tuple of exercises: write {key}=(head,), with the "
                    'object that was declared as head = Exercise("…"), not its name'
                )

    def prerequisites(self) -> set[Exercise]:
        """Return all exercises that it needs, directly or indirectly."""
        return {*self.needs, *(each for need in self.needs for each in need.prerequisites())}

    def check(
        self, points: float | None = None, layout: bool = False, symptom: str = ""
    ) -> Callable[[F], F]:
        """Declare a function as a check of this exercise; its docstring is the title.

        layout: the check may raise OtherLayout. Later checks then use the layout it found, so that
        only this check judges the layout. An exercise has at most one such check. symptom: the
        key of one, for wrong results in this check alone. Raises CourseError without points.
        """
        if callable(points):  # declared by @….check alone
            raise CourseError(f"{points.__name__} has no points: write @….check(points=1)")

        def declare(function: F) -> F:
            if not (function.__doc__ or "").strip():
                raise CourseError(
                    f"{function.__name__} has no docstring: write one, which is the title"
                )
            title = _first_line(function.__doc__ or "")
            if len(title) > LONGEST:
                raise CourseError(
                    f"the title of {function.__name__} has {len(title)} characters: write it in "
                    f"{LONGEST} or fewer, which fit into a line of a report"
                )
            if points is None:
                raise CourseError(f"{function.__name__} has no points: write @….check(points=1)")
            if not isinstance(points, int | float) or not 0 <= points < math.inf:
                raise CourseError(
                    f"{function.__name__} gives {points!r} points: give a number, 0 or more"
                )
            setattr(function, MARK, Check(self, float(points), title, layout, symptom))
            return function

        return declare


@dataclass(frozen=True, eq=False)
class Check:
    """The declaration of a check.

    title: what students read. layout, symptom: as in Exercise.check.
    """

    exercise: Exercise
    points: float
    title: str
    layout: bool = False
    symptom: str = ""


def _first_line(text: str) -> str:
    return text.strip().splitlines()[0]
