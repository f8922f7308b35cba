"""Summarize a class for a terminal: a line for each submission."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from autograder.grading.fitting import printable
from autograder.grading.grade import Grade
from autograder.report.columns import cut, padded, width, wrapped
from autograder.report.streams import Screen

ONE_PERSON = "Lines that rebuild an example are shown for one person's work: grade that alone."
LONGEST = 30  # columns of a name
SHORTEST = 10


@dataclass(frozen=True)
class _Row:
    """The line of a submission, in parts. message: "" if it was graded."""

    name: str
    result: str
    message: str


class Summary:
    """The summary of a class, which grows with each grade. It keeps a few words of each.

    screen: where it is shown. locked: True if submissions ran in a locked sandbox. pastes: whether
    lines of Python were asked for.
    """

    def __init__(
        self, screen: Screen | None = None, locked: bool = False, pastes: bool = False
    ) -> None:
        self._columns = (screen or Screen()).used
        self._sandbox = "locked" if locked else "unlocked"
        self._pastes = pastes
        self._rows: list[_Row] = []

    def add(self, grade: Grade) -> None:
        """Add a submission's line."""
        score = f"{grade.points:g}/{grade.max_points:g}"
        result = f"{grade.assignment or '?':<16} {grade.status:<11} {score:>7}"
        message = "" if grade.status == "graded" else grade.message
        self._rows.append(_Row(printable(grade.submission), result, message))

    def lines(self) -> Iterator[str]:
        """Yield the summary, one line per submission."""
        widest = max((width(row.name) for row in self._rows), default=0)
        columns = min(max(widest, SHORTEST), LONGEST)
        for row in self._rows:
            yield f"{padded(cut(row.name, columns), columns)}  {row.result}"
            if row.message:
                yield from wrapped(row.message, "    ", self._columns)
        if self._pastes:
            yield from wrapped(ONE_PERSON, "", self._columns)
        yield f"Graded {self._sandbox}."
