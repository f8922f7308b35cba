"""Misconceptions: mistakes that students really make, as edits of the reference.

`misconceptions.toml`, next to the reference, lists them. Each table is a hint; the tables in it, by
exercise and id, are the mistakes that it helps with:

    [scaled_by_width]
    look = "Where to look, and what there is to see."
    think = "The question that this raises."
    nearly = "Nearly the answer, but not the line to write."
    [scaled_by_width.ScaledDotProduct.sqrt_missing]
    mistake = "divides by d_k instead of its square root"
    edits = [{ find = 'math.sqrt(d_k)', replace = 'd_k' }]

Edits apply one after the other, in the top-level class or function of the exercise, or in the one
that `within` names. Each `find` must occur exactly once.
"""

from __future__ import annotations

import ast
import os
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from autograder.course import hints, place
from autograder.course.hints import STEPS, Hint, MalformedHints
from autograder.errors import CourseError
from autograder.runtime.source_lines import source_lines

SINGLE_PRECISION = "(float32 only)"  # ends the phrase of a mistake that costs no points
MISTAKE = ("mistake", "edits", "within")  # keys of a mistake


class EditDoesNotApply(CourseError):
    """An edit's `find` does not occur exactly once in the code that it edits."""


@dataclass(frozen=True)
class Misconception:
    """One mistake: the reference's code of an exercise with a few passages replaced.

    edits: pairs (find, replace). mistake: a phrase that students read. within: the class or
    function to edit, if not the exercise's own.
    """

    id: str
    exercise: str
    mistake: str
    edits: tuple[tuple[str, str], ...]
    hint: Hint
    within: str = ""

    def source(self, solution: str) -> str:
        """Return the solution module's text with this mistake. Raises EditDoesNotApply."""
        start, end = _lines_of(self.place, solution)
        lines = source_lines(solution)
        code = self.edited("".join(lines[start:end]))
        return "".join(lines[:start]) + code + "".join(lines[end:])

    @property
    def costs_no_points(self) -> bool:
        """Return whether the mistake costs no points, by design."""
        return self.mistake.endswith(SINGLE_PRECISION)

    @property
    def place(self) -> str:
        """Return the name of the top-level class or function to edit."""
        return self.within or self.exercise

    def edited(self, code: str) -> str:
        """Return the code of that class or function with this mistake. Raises EditDoesNotApply."""
        for find, replace in self.edits:
            if code.count(find) != 1:
                raise EditDoesNotApply(
                    f"{self.exercise}/{self.id} in misconceptions.toml: {find!r} occurs "
                    f"{code.count(find)} times in {self.place} of the solution. Quote a passage "
                    "that occurs once."
                )
            code = code.replace(find, replace)
        try:
            ast.parse(textwrap.dedent(code))
        except SyntaxError as error:
            raise EditDoesNotApply(
                f"{self.exercise}/{self.id} in misconceptions.toml makes no Python of {self.place} "
                f"({error.msg}). Correct its edits."
            ) from None
        return code


def misconceptions(assignment: str) -> list[Misconception]:
    """Return an assignment's misconceptions, in the order of its file. Raises MalformedHints."""
    path = place.solution_file(assignment).with_name("misconceptions.toml")
    return list(read(path)) if os.path.lexists(path) else []


def read(path: Path) -> Iterator[Misconception]:
    """Yield the misconceptions in a file. Raises MalformedHints."""
    seen: set[tuple[str, str]] = set()
    for name, table in hints.tables(path).items():
        where = f"{path}: [{name}]"
        exercises = {key: value for key, value in table.items() if key not in STEPS}
        for key, mistakes in exercises.items():  # first, since it may be a step that is misspelt
            if not isinstance(mistakes, dict):
                raise MalformedHints(
                    f"{where} has {key}, which is not known. A hint has {', '.join(STEPS)}."
                )
        hint = hints.hint(table, where)
        if not exercises:
            raise MalformedHints(f"{where} helps with no mistake. Give it one, or delete it.")
        for exercise, mistakes in exercises.items():
            for id, mistake in mistakes.items():
                at = f"{path}: [{name}.{exercise}.{id}]"
                if (exercise, id) in seen:
                    raise MalformedHints(f"{at} occurs twice. Rename one of them.")
                seen.add((exercise, id))
                yield _misconception(at, exercise, id, mistake, hint)


def _misconception(where: str, exercise: str, id: str, table: Any, hint: Hint) -> Misconception:
    if not isinstance(table, dict):
        raise MalformedHints(f"{where} is not a table. Give it {', '.join(MISTAKE)}.")
    for key in table.keys() - {*MISTAKE}:
        raise MalformedHints(
            f"{where} has {key}, which is not known. A mistake has {', '.join(MISTAKE)}."
        )
    edits = table.get("edits")
    if not isinstance(edits, list) or not edits:
        raise MalformedHints(f"{where} has no edits. Write edits = [{{ find, replace }}].")
    return Misconception(
        id,
        exercise,
        hints.text(table, "mistake", where),
        tuple(_edit(where, edit) for edit in edits),
        hint,
        hints.text(table, "within", where) if "within" in table else "",
    )


def _edit(where: str, edit: Any) -> tuple[str, str]:
    match edit:
        case {"find": str(find), "replace": str(replace)} if len(edit) == 2 and find:
            return find, replace
    raise MalformedHints(f"{where} has an edit that is not {{ find = '…', replace = '…' }}.")


@lru_cache
def _lines_of(exercise: str, solution: str) -> tuple[int, int]:
    for node in ast.parse(solution).body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and node.name == exercise:
            assert node.end_lineno is not None
            return node.lineno - 1, node.end_lineno
    raise EditDoesNotApply(
        f"misconceptions.toml has mistakes in {exercise}, which the solution does not define. "
        "Define it, or correct the name."
    )
