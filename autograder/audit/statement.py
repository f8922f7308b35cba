"""Rules for an assignment's module: its header, its passages of solution, its cells of checks."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Collection
from pathlib import Path

from autograder import course
from autograder.audit.demonstrations import Demonstration, demonstrations
from autograder.audit.todos import is_unwritten
from autograder.course.skeletons import BEGIN
from autograder.errors import CourseError

FIELDS = {"order": "6.5", "hours": "1.5", "from": "Vaswani et al. 2017"}  # with examples
NUMBERS = ("order", "hours")
FOR_STUDENTS = "# TODO: "
SHORT = 12  # lines of a cell of checks at most: students read it
LEAST = 2  # asserts
SAYS = re.compile(r"expected [^?\n]{1,60}")  # the message of an assert


def check_statement(assignment: str) -> None:
    """Raise CourseError if an assignment's module breaks a rule."""
    path, text = course.solution_file(assignment), course.solution(assignment)
    check_header(path, text)
    course.notebook_skeleton(assignment)  # raises UnmatchedMarker
    check_passages(path, text)
    _check_syntax(path, text, 1)
    for cell in demonstrations(text):
        if cell.exercise and not is_unwritten(cell.source):
            check_cell(path, cell)


def check_header(path: Path, text: str) -> None:
    """Raise CourseError if a module does not begin with a whole header."""
    found = course.about(text)
    for field, example in FIELDS.items():
        value = found.get(field, "")
        if not value.strip():
            raise CourseError(
                f"{path}, line 1: the header has no {field}. Write # {field}: {example} between "
                "two lines # ---, which begin the file."
            )
        if field in NUMBERS and not is_unwritten(value) and not _is_number(value):
            raise CourseError(
                f"{path}: {field} is {value!r}. Write a number, such as {example.split()[0]}."
            )


def check_passages(path: Path, text: str) -> None:
    """Raise CourseError if students are not told what to write in place of a passage."""
    lines = course.source_lines(text)
    for number, line in enumerate(lines, 1):
        if line.strip() != BEGIN:
            continue
        above = number - 2
        while above >= 0 and lines[above].strip().startswith("#"):
            if lines[above].strip().startswith(FOR_STUDENTS):
                break
            above -= 1
        else:
            raise CourseError(
                f"{path}, line {number}: no comment above {BEGIN} says what students write there. "
                f"Write {FOR_STUDENTS}and what to do, in the line above."
            )


def check_cell(path: Path, cell: Demonstration) -> None:
    """Raise CourseError if a cell of checks is long, or does not say what is expected."""
    where = f"{path}, line {cell.line}: the cell of checks of {cell.exercise}"
    tree = _check_syntax(path, cell.source, cell.line)
    lines = [line for line in cell.source.splitlines() if line.strip()]
    if len(lines) > SHORT:
        raise CourseError(
            f"{where} has {len(lines)} lines. Write {SHORT} or fewer, since students read it."
        )
    asserted = [node for node in tree.body if isinstance(node, ast.Assert)]
    if len(asserted) < LEAST:
        raise CourseError(f"{where} has fewer than {LEAST} asserts. Write {LEAST} or more.")
    for node in asserted:
        said = node.msg.value if isinstance(node.msg, ast.Constant) else ""
        if not SAYS.fullmatch(str(said)):
            raise CourseError(
                f"{path}, line {cell.line + node.lineno - 1}: the message of this assert does not "
                'say what is expected. Write one such as "expected the shape (3, 2)", of at most '
                "69 characters and without a question mark."
            )


def check_exercises(path: Path, text: str, exercises: Collection[str]) -> None:
    """Raise CourseError if a cell of checks is for no exercise, or for one that has another."""
    named = [(cell.exercise, cell.line) for cell in demonstrations(text) if cell.exercise]
    for number, (name, line) in enumerate(named):
        if name not in exercises:
            raise CourseError(
                f"{path}, line {line}: this cell of checks is for {name}, which has no checks. "
                f"The exercises here are {', '.join(exercises)}."
            )
        if name in (other for other, _ in named[:number]):
            raise CourseError(
                f"{path}, line {line}: {name} has another cell of checks above. Join them."
            )


def _check_syntax(path: Path, text: str, line: int) -> ast.Module:
    """Return the tree of code that begins in a line of a file. Raises CourseError."""
    try:
        return ast.parse(text)
    except SyntaxError as problem:
        at = line - 1 + (problem.lineno or 1)
        raise CourseError(f"{path}, line {at}: {problem.msg}. Correct the code.") from None


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False
