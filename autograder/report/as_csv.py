"""Write grades as a CSV table: a line for each submission, a column for each exercise."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from autograder.grading.grade import Grade, Outcome
from autograder.report.writing import check_folders, check_ours, harmless, telling, write
from autograder.submissions.reports import COLUMNS, TABLE

AS_WRITTEN: dict[str, Any] = {"encoding": "utf-8", "newline": ""}  # csv makes the line ends


def check_file(path: Path) -> None:
    """Raise UsageError if the table cannot be there, or would replace a file that is not ours."""
    check_folders(path)
    check_ours(path, TABLE)
    check_ours(unfinished(path), TABLE)  # a path without a name, such as `/`, was refused above


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
        self._exercises: list[str] = []
        self._is_begun = False

    def add(self, grade: Grade) -> None:
        """Add a row. Raises NotOurs, CannotWrite."""
        new = [one.name for one in grade.exercises if one.name not in self._exercises]
        if new or not self._is_begun:
            self._add_columns(new)
        with telling(self.unfinished), self.unfinished.open("a", **AS_WRITTEN) as file:
            file.write(_lines([_row(grade, self._exercises)]))

    def complete(self) -> None:
        """Move the table to its place. Raises NotOurs, CannotWrite."""
        check_ours(self.path, TABLE)
        with telling(self.path):
            os.replace(self.unfinished, self.path)

    def _add_columns(self, exercises: Sequence[str]) -> None:
        """Begin the table, or write it anew, with columns for these exercises too."""
        rows: list[list[str]] = []
        if self._is_begun:
            with telling(self.unfinished), self.unfinished.open(**AS_WRITTEN) as file:
                rows = [[*row, *("" for _ in exercises)] for row in csv.reader(file)][1:]
        self._exercises += exercises
        write(self.unfinished, _lines([[*COLUMNS, *self._exercises], *rows]), TABLE)
        self._is_begun = True


def _row(grade: Grade, exercises: Sequence[str]) -> list[str]:
    """Return a grade's row. One that needs staff has an empty cell, not a zero."""
    own = {e.name: "" if e.outcome is Outcome.ERROR else _number(e.points) for e in grade.exercises}
    is_open = grade.status == "needs_staff"
    row = [grade.submission, grade.assignment or "", grade.status, grade.sandbox]
    row += ["" if is_open else _number(grade.points), _number(grade.max_points)]
    return [harmless(cell) for cell in (*row, *(own.get(name, "") for name in exercises))]


def _lines(rows: Sequence[Sequence[str]]) -> str:
    made = io.StringIO(newline="")
    csv.writer(made).writerows(rows)
    return made.getvalue()


def _number(points: float) -> str:
    return f"{points:.10g}"
