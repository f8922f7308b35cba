"""What a class's grades look like at a terminal and as a table."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from pathlib import Path

from autograder.grading.grade import Grade
from autograder.report.as_csv import Table
from autograder.report.summary import Summary


def summary(
    grades: Iterable[Grade],
    locked: bool = False,
    pastes: bool = False,
) -> list[str]:
    """Return the lines of a class's summary."""
    made = Summary(None, locked, pastes)
    for grade in grades:
        made.add(grade)
    return [*made.lines()]


def table(grades: Iterable[Grade]) -> str:
    """Return the text of a table."""
    with tempfile.TemporaryDirectory() as folder:
        made = Table(Path(folder) / "table.csv")
        for grade in grades:
            made.add(grade)
        made.complete()
        return made.path.read_bytes().decode()
