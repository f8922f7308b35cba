"""The cells of a statement, which is a script in percent format, and the names in their code."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import cached_property

from autograder.course.calls import FINISHES
from autograder.errors import CourseError
from autograder.runtime.source_lines import source_lines

CELL = re.compile(r"^(?=# %%)", re.MULTILINE)
HEADING = re.compile(r"# (#{1,3}) (?:[^:\n]*\d ?: )?(.+)")  # the first line of a text
DEMONSTRATION = "active-ipynb"  # a tag: comments in the module, code in the notebook
COMMENT = re.compile(r"^# ?", re.MULTILINE)


@dataclass(frozen=True)
class Cell:
    """A cell of a statement.

    first: its first line, "" of the header. exercise: in whose section it stands, or "". unit: the
    number of headings so far, its own included.
    """

    first: str
    rest: str
    exercise: str = ""
    unit: int = 0

    @property
    def text(self) -> str:
        return self.first + self.rest

    @property
    def is_text(self) -> bool:
        return not self.first or "[markdown]" in self.first

    @property
    def is_demonstration(self) -> bool:
        return DEMONSTRATION in self.first

    @property
    def is_code(self) -> bool:
        """Return whether it is code in the module."""
        return not self.is_text and not self.is_demonstration

    @property
    def finishes(self) -> bool:
        """Return whether it is an exercise's cell of visible checks."""
        return self.is_demonstration and bool(FINISHES.search(COMMENT.sub("", self.rest)))

    @cached_property
    def statements(self) -> list[ast.stmt]:
        """Its statements; none if it is no code. Raises CourseError."""
        if self.is_text:
            return []
        code = COMMENT.sub("", self.rest) if self.is_demonstration else self.rest
        try:
            return ast.parse(code).body
        except SyntaxError as problem:
            begins = code.strip().partition("\n")[0]
            raise CourseError(
                f"The cell that begins with {begins!r} cannot be read as Python ({problem.msg}), "
                "so nothing can be left out of its assignment. Correct it."
            ) from None

    @cached_property
    def binds(self) -> frozenset[str]:
        """The names that it binds."""
        return frozenset().union(*map(binds, self.statements))

    @cached_property
    def reads(self) -> frozenset[str]:
        """The names that it reads, but does not bind above."""
        found, known = set[str](), set[str]()
        for statement in self.statements:
            found |= reads(statement) - known
            known |= binds(statement)
        return frozenset(found)

    def lines_of(self, statement: ast.stmt) -> str:
        """Return the lines of one of its statements, as they stand in the script."""
        decorators = getattr(statement, "decorator_list", ())
        first = min(one.lineno for one in (statement, *decorators))
        return "".join(source_lines(self.rest)[first - 1 : statement.end_lineno])


def cells(text: str, exercises: Collection[str]) -> list[Cell]:
    """Return the cells of a statement with these exercises, the first of which is its header."""
    header, *parts = CELL.split(text)
    found = [Cell("", header)]
    exercise, unit = "", 0
    for part in parts:
        first, _, rest = part.partition("\n")
        cell = Cell(f"{first}\n", rest)
        if heading := HEADING.match(rest) if cell.is_text else None:
            unit += 1
            if len(heading[1]) < 3:
                exercise = heading[2] if heading[2] in exercises else ""
        found.append(replace(cell, exercise=exercise, unit=unit))
    return found


def binds(statement: ast.stmt) -> set[str]:
    """Return the names that a statement binds for those below it."""
    if isinstance(statement, ast.ClassDef | ast.FunctionDef):
        return {statement.name}
    return _bound(statement)


def reads(statement: ast.stmt) -> set[str]:
    """Return the names that a statement reads, and does not bind anywhere in it."""
    nodes = [node for node in ast.walk(statement) if isinstance(node, ast.Name)]
    return {node.id for node in nodes if isinstance(node.ctx, ast.Load)} - _bound(statement)


def _bound(statement: ast.stmt) -> set[str]:
    found = set[str]()
    for node in ast.walk(statement):
        match node:
            case ast.Name(name, ast.Store()) | ast.arg(name):
                found.add(name)
            case ast.ClassDef(name) | ast.FunctionDef(name):
                found.add(name)
            case ast.alias(name, asname):
                found.add(asname or name.partition(".")[0])
    return found
