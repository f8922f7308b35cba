"""Write grades as a CSV table: a line for each submission, a column for each exercise."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Sequence
from pathlib import Path

from autograder.grading.grade import Grade, Outcome
from autograder.report.writing import check_folders, check_ours, harmless, telling, write

COLUMNS = ("id", "assignment", "status", "sandbox", "score", "max_score")
MARK = ",".join(COLUMNS)  # identifies our own tables


def check_file(path: Path) -> None:
    """Raise UsageError if the table cannot be there, or would replace a file that is not ours."""
    check_folders(path)
    check_ours(path, MARK)
    check_ours(unfinished(path), MARK)  # a path without a name, such as `/`, was refused above


def unfinished(path: Path) -> Path:
    """Return the path of a table that is not complete yet."""
    return path.with_name(f"{path.name}.part")


class Table:
    """A table that grows in a file of its own and is moved to its place when it is complete.

    That file is always a valid table of the submissions graded so far. An older table at its place
    stays until the new one is complete.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.unfinished = unfinished(path)
        self._grades: list[Grade] = []

    def add(self, grade: Grade) -> None:
        """Add a row. Raises NotOurs, CannotWrite."""
        self._grades.append(grade)
        write(self.unfinished, table(self._grades), MARK)

    def complete(self) -> None:
        """Move the table to its place. Raises NotOurs, CannotWrite."""
        check_ours(self.path, MARK)
        with telling(self.path):
            os.replace(self.unfinished, self.path)


def table(grades: Sequence[Grade]) -> str:
    """Return the table. A grade that needs staff has an empty cell, not a zero."""
    exercises = list(dict.fromkeys(e.name for grade in grades for e in grade.exercises))
    made = io.StringIO(newline="")
    writer = csv.writer(made)
    writer.writerow([*COLUMNS, *exercises])
    for grade in grades:
        own = {
            e.name: "" if e.outcome is Outcome.ERROR else _number(e.points) for e in grade.exercises
        }
        is_open = grade.status == "needs_staff"
        row = [grade.submission, grade.assignment or "", grade.status, grade.sandbox]
        row += ["" if is_open else _number(grade.points), _number(grade.max_points)]
        writer.writerow(map(harmless, [*row, *(own.get(name, "") for name in exercises)]))
    return made.getvalue()


def _number(points: float) -> str:
    return f"{points:.10g}"
