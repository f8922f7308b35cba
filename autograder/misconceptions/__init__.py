"""Named wrong solutions: what students really write, as edits of the reference."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module

SINGLE_PRECISION = "(float32 only)"  # ends the phrase of what costs no points, and is remarked on


class EditDoesNotApply(ValueError):
    """An edit's `find` does not stand exactly once in its exercise's code."""


@dataclass(frozen=True)
class Hint:
    """Three steps from what can be seen to what is to be changed, 160 words at most together.

    look: where to look, and what is to be seen there. think: the question that this raises.
    nearly: nearly the answer, but not the line to write. Misconceptions that are the same
    function have the same hint.
    """

    look: str
    think: str
    nearly: str


@dataclass(frozen=True)
class Misconception:
    """One mistake: the reference's code of `exercise` with a few passages replaced.

    `edits` are pairs (find, replace), applied one after the other within the
    exercise's top-level class or function, or within `within`, where the exercise is written in
    several; each `find` must occur exactly once. mistake: a phrase that students read.
    """

    id: str
    exercise: str
    mistake: str
    edits: tuple[tuple[str, str], ...]
    hint: Hint
    within: str = ""

    def source(self, solution: str) -> str:
        """The solution module's text with this mistake in it.

        Raises EditDoesNotApply when a passage is not there, or stands twice.
        """
        start, end = _lines_of(self.place, solution)
        lines = solution.splitlines(keepends=True)
        code = self.edited("".join(lines[start:end]))
        return "".join(lines[:start]) + code + "".join(lines[end:])

    @property
    def is_remarked(self) -> bool:
        """Whether it costs no points, by design."""
        return self.mistake.endswith(SINGLE_PRECISION)

    @property
    def place(self) -> str:
        """The top-level class or function that it edits."""
        return self.within or self.exercise

    def edited(self, code: str) -> str:
        """The code of that class or function with this mistake in it. Raises EditDoesNotApply."""
        for find, replace in self.edits:
            if code.count(find) != 1:
                raise EditDoesNotApply(
                    f"{self.exercise}/{self.id}: {find!r} stands {code.count(find)} times "
                    f"in the code of {self.exercise}, not once"
                )
            code = code.replace(find, replace)
        return code


def misconceptions(assignment: str) -> list[Misconception]:
    """All misconceptions of an assignment, in the order of its exercises."""
    return list(import_module(f"{__name__}.{assignment}").MISCONCEPTIONS)


@lru_cache
def _lines_of(exercise: str, solution: str) -> tuple[int, int]:
    for node in ast.parse(solution).body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and node.name == exercise:
            assert node.end_lineno is not None
            return node.lineno - 1, node.end_lineno
    raise EditDoesNotApply(f"the solution has no {exercise}")
