"""Exercises and their checks: what a file of checks declares."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

F = TypeVar("F", bound=Callable[..., None])
MARK = "__check__"  # where a function keeps what was declared about it


@dataclass(frozen=True, eq=False)  # one is declared once, and looked for among all very often
class Exercise:
    """An exercise by name, and those it is built from: they must be right before it can be.

    head = Exercise("AttentionHead", needs=(query_key_value, scaled_dot_product))

    @head.check(points=3)
    def test_head_agrees(submission, reference, draw):
        \"\"\"Agrees with the reference\"\"\"
    """

    name: str
    needs: tuple[Exercise, ...] = ()

    def prerequisites(self) -> set[Exercise]:
        """All that it is built from."""
        return {*self.needs, *(each for need in self.needs for each in need.prerequisites())}

    def check(self, points: float, layout: bool = False, symptom: str = "") -> Callable[[F], F]:
        """Declare a function as a check of this exercise; its docstring is the title.

        layout: may it raise OtherLayout? Then the checks behind it are asked in that layout, so
        that a layout is the business of this check alone. An exercise has at most one.
        symptom: what wrong results in this check alone show, a key of SYMPTOMS.
        """

        def declare(function: F) -> F:
            if not (function.__doc__ or "").strip():
                raise ValueError(f"{function.__name__} has no docstring to be its title")
            title = _first_line(function.__doc__ or "")
            setattr(function, MARK, Check(self, float(points), title, layout, symptom))
            return function

        return declare


@dataclass(frozen=True, eq=False)
class Check:
    """What was declared about a check: the exercise, the points, the title students read, whether
    it judges the layout of weights, and the symptom of wrong results in it alone."""

    exercise: Exercise
    points: float
    title: str
    layout: bool = False
    symptom: str = ""


def _first_line(text: str) -> str:
    return text.strip().splitlines()[0]
