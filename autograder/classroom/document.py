"""Read the results of a class from the JSON document that `python -m autograder grade` writes.

Keys that are not named here are left out, since later versions may add some; those that have been
added since the first version may be missing.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import msgspec

from autograder import parsing
from autograder.errors import UsageError
from autograder.parsing import DamagedData
from autograder.report.as_json import FORMAT
from autograder.report.number_table import Table

MOST = 2_000_000_000  # bytes: a hundred thousand submissions with long messages
NO_FILE = "There is no file {}. Write it first: python -m autograder grade CLASS --json > {}"
NO_DOCUMENT = (
    "{} is not what python -m autograder grade --json writes ({}). Write it again, and name that."
)
INCOMPLETE = "{} was interrupted before everybody was graded. Repeat the command that wrote it."

Outcome = Literal["passed", "failed", "missing", "blocked", "error"]


@dataclass(frozen=True)
class Check:
    """The result of a check. visible: False if students must not see what it asks."""

    name: str
    title: str
    status: Outcome
    points: float
    max_points: float
    visible: bool
    message: str


@dataclass(frozen=True)
class Diagnosis:
    """A mistake that was named; misconceptions: the ids of all that answer alike.

    mistake: a phrase, "" if they have different ones. hints: in order, the last one nearly gives
    the answer. seen: True for a symptom that was observed.
    """

    misconceptions: tuple[str, ...]
    mistake: str
    hints: tuple[str, ...]
    seen: bool


@dataclass(frozen=True)
class WrittenTable:
    """A table of numbers; a row is a text, its cells separated by spaces, * after those marked.

    The other attributes are those of number_table.Table.
    """

    title: str
    rows: tuple[str, ...]
    height: int
    is_cut: bool
    is_attention: bool
    is_causal: bool

    @property
    def table(self) -> Table:
        """The table with its cells apart."""
        rows = tuple(
            tuple((cell.removesuffix("*"), cell.endswith("*")) for cell in row.split())
            for row in self.rows
        )
        return Table(self.title, rows, self.height, self.is_cut, self.is_attention, self.is_causal)


@dataclass(frozen=True)
class Example:
    """The smallest example, as people read it: rows of tables, inputs first.

    heading: the call. weights_shown: "" if there are none. words: sentences about it.
    """

    heading: str
    weights_shown: str
    tables: tuple[tuple[WrittenTable, ...], ...]
    words: tuple[str, ...]

    @property
    def bands(self) -> list[list[Table]]:
        """The tables in rows, inputs first."""
        return [[one.table for one in band] for band in self.tables]


@dataclass(frozen=True)
class Exercise:
    """The result of an exercise.

    misconceptions: ids of the mistakes that were named. alike: the key of failures without a named
    mistake that answer alike, "" for others. comment: of an instructor, or "".
    """

    name: str
    status: Outcome
    score: float
    max_score: float
    misconceptions: tuple[str, ...]
    checks: tuple[Check, ...]
    diagnoses: tuple[Diagnosis, ...] = ()
    alike: str = ""
    comment: str = ""
    waits_for: str | None = None
    example: Example | None = None


@dataclass(frozen=True)
class Submission:
    """The result of a submission. submission: the student's id."""

    submission: str
    path: str
    assignment: str | None
    status: Literal["graded", "unreadable", "needs_staff"]
    message: str
    score: float
    max_score: float
    exercises: tuple[Exercise, ...]


@dataclass(frozen=True)
class Document:
    """The results of a class. sandbox: "locked" or "unlocked". course: its fingerprint."""

    format: int
    sandbox: str
    course: str
    submissions: tuple[Submission, ...]
    complete: bool


def read(path: Path) -> Document:
    """Return the results in a file. Raises UsageError if it has no complete ones."""
    if not path.is_file():
        raise UsageError(NO_FILE.format(path, path))
    try:
        document = parsing.read_linked(path, MOST, _decode)
    except DamagedData as problem:
        raise UsageError(NO_DOCUMENT.format(path, problem)) from None
    if document.format != FORMAT:
        raise UsageError(NO_DOCUMENT.format(path, f"its format is {document.format}"))
    if not document.complete:
        raise UsageError(INCOMPLETE.format(path))
    return document


def submission(text: str) -> Submission:
    """Return a submission's result from its part of a document."""
    return msgspec.json.decode(text, type=Submission)


def _decode(data: bytes) -> Document:
    return msgspec.json.decode(data, type=Document)
