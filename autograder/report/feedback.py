"""The part of a grade that people read, alike in the terminal and on pages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from autograder import course
from autograder.course.commands import command
from autograder.grading.grade import CheckGrade, Diagnosis, ExerciseGrade, Outcome
from autograder.report.columns import wrapped

GLYPHS = {
    Outcome.PASSED: "✓",
    Outcome.FAILED: "✗",
    Outcome.MISSING: "○",
    Outcome.BLOCKED: "…",
    Outcome.ERROR: "!",
}
HINTS = ("Look:", "Think:", "Nearly:")  # before each hint
HERE = "this notebook"  # the kernel does not know the name of its file
MOST_HINTS = len(HINTS)


class Stopped(NamedTuple):
    """A cell that stopped when it was run last, above what is graded: its label, line and error."""

    label: str
    line: int
    error: str


def named(exercise: ExerciseGrade, hints: int) -> list[tuple[str, Diagnosis]]:
    """Return each mistake in an exercise, with the words in front of it.

    There are none if no hints are shown: who wants to think first is not told the mistake either.
    """
    return [*zip(_leads(exercise), exercise.diagnoses, strict=False)] if hints else []


def _leads(exercise: ExerciseGrade) -> tuple[str, ...]:
    if any(found.seen for found in exercise.diagnoses):
        return ("Seen:",)
    if len(exercise.diagnoses) == 1:
        return ("Probably:",)
    return ("It does what two mistakes together do. One, alone:", "The other, alone:")


def located(exercise: ExerciseGrade, hints: int) -> tuple[str, str] | None:
    """Return which line the mistake is in, and its text; None unless all hints are shown."""
    if exercise.line is None or hints < MOST_HINTS:
        return None
    cell, number = exercise.line.cell.rpartition(", ")[2], exercise.line.number
    cell = f"Cell {cell.removeprefix('cell ')}" if cell.startswith("cell ") else cell
    place = f"{cell}, line {number}:" if cell else f"Line {number}:"
    return place, exercise.line.text


def has_feedback(exercise: ExerciseGrade) -> bool:
    """Return whether there is more to show of an exercise than its outcome."""
    if exercise.outcome is Outcome.MISSING and not exercise.is_begun:
        return False
    return any(True for _ in checks_with_feedback(exercise))


def why_it_waits(exercise: ExerciseGrade) -> str:
    """Return why an exercise lacks points although it may be right with a correct one, or ""."""
    return next((check.unsuited for check in exercise.checks if check.unsuited), "")


def checks_with_feedback(exercise: ExerciseGrade) -> Iterator[tuple[CheckGrade, str, str]]:
    """Yield each check that has feedback, with its message and the printed text.

    A message of an earlier check is not repeated.
    """
    said: set[str] = set()
    for check in exercise.checks:
        again = check.visible and check.message in said
        if check.outcome is Outcome.BLOCKED or (check.outcome is Outcome.PASSED and again):
            continue
        if check.outcome is not Outcome.PASSED or check.message:
            yield check, "As above." if again else check.message, check.printed * (not again)
        if check.visible:
            said.add(check.message)


def finished() -> Iterator[str]:
    """Yield what is said to a student whose exercises all pass."""
    yield f"Everything passes. Pack what you hand in: {command('make submit', 'submit')}"
    yield from wrapped(course.declared().payoff)
