"""The list of a class: a table that gives each student's id and what other programs call them.

A CSV file, such as a spreadsheet writes: a row of column names in any order and case, then a row
for each student. `id` must be there; the others may be. Its cells are separated by commas,
semicolons or tabs.
"""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from autograder import parsing
from autograder.errors import UsageError
from autograder.parsing import DamagedData
from autograder.submissions import ids
from autograder.submissions.files import quoted

Column = Literal["canvas", "moodle", "gradescope", "email", "name"]
ID = "id"
# The user's number in Canvas; the participant's in Moodle, with or without the word before it;
# the student id (sid) in Gradescope.
COLUMNS: tuple[Column, ...] = ("canvas", "moodle", "gradescope", "email", "name")
SEPARATORS = ",;\t"
BOM = "\N{ZERO WIDTH NO-BREAK SPACE}"
MOST = 10_000_000  # bytes: a hundred thousand students
NUMBER = re.compile(r"[0-9]+$")
SAVE = "Save it as CSV in UTF-8 again."


@dataclass(frozen=True)
class Student:
    """A row of the list. values: the cells that are not empty. line: of the file, from 1."""

    id: str
    values: Mapping[Column, str]
    line: int


class Roster:
    """The students of a class, by their ids and by what other programs call them.

    columns: those that the file has beside the ids.
    """

    def __init__(self, students: Sequence[Student], columns: Sequence[Column]) -> None:
        self.columns = tuple(columns)
        self._students = {ids.key(one.id): one for one in students}
        self._ids: dict[tuple[Column, str], set[str]] = {}
        for one in students:
            for column, value in one.values.items():
                self._ids.setdefault((column, known(column, value)), set()).add(one.id)

    def __iter__(self) -> Iterator[Student]:
        return iter(self._students.values())

    def __contains__(self, student: object) -> bool:
        """Return whether a text is the id of a student, in any case of letters."""
        return isinstance(student, str) and ids.key(student) in self._students

    def id_of(self, column: Column, value: str) -> str | None:
        """Return the id of the student whom a program calls so; None if it is nobody or several.

        Only names can be those of several.
        """
        found = self._ids.get((column, known(column, value)), set())
        return next(iter(found)) if len(found) == 1 else None

    def value_of(self, student: str, column: Column) -> str | None:
        """Return what a program calls the student with an id; None if that is not in the list."""
        found = self._students.get(ids.key(student))
        return found.values.get(column) if found else None


def known(column: Column, value: str) -> str:
    """Return a value as it is compared with others: in any case, and however accents are written.

    Moodle calls a participant `Participant 1234`, in the language of the site: the number counts.
    """
    text = " ".join(value.split())
    if column == "moodle" and (number := NUMBER.search(text)):
        return number[0]
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())


def read(path: Path) -> Roster:
    """Return the list in a file. Raises UsageError, which says what is wrong and where."""
    try:
        text = parsing.read_linked(path, MOST, parsing.text)
        rows = [*_rows(text.removeprefix(BOM))]
    except DamagedData as problem:
        raise UsageError(f"The roster {path} cannot be read: {problem}. {SAVE}") from None
    if not rows:
        raise UsageError(f"The roster {path} is empty. Its first row names the columns: {_all()}.")
    columns = _columns(path, rows[0][1])
    students = [_student(path, line, columns, cells) for line, cells in rows[1:]]
    _check_once(path, students)
    return Roster(students, [one for one in COLUMNS if one in columns])


def _rows(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows that have anything in them, with their lines. Raises DamagedData."""
    head = text.lstrip().partition("\n")[0]
    separator = max(SEPARATORS, key=head.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    line = 1
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                yield line, [cell.strip() for cell in cells]
            line = reader.line_num + 1
    except csv.Error as problem:
        raise DamagedData(f"in line {line}, {problem}") from None


def _columns(path: Path, cells: Sequence[str]) -> list[str]:
    """Return the names of the columns as we write them. Raises UsageError."""
    found = [cell.casefold() for cell in cells]
    for name, cell in zip(found, cells, strict=True):
        if name not in (ID, *COLUMNS):
            raise UsageError(
                f"The roster {path} has a column {quoted(cell)}, which is not known. Delete or "
                f"rename it. The columns are {_all()}."
            )
        if found.count(name) > 1:
            raise UsageError(f"The roster {path} has two columns {name}. Delete one of them.")
    if ID not in found:
        raise UsageError(f"The roster {path} has no column {ID}. The columns are {_all()}.")
    return found


def _student(path: Path, line: int, columns: Sequence[str], cells: Sequence[str]) -> Student:
    """Return the student in a row. Raises UsageError."""
    where = f"The roster {path}, line {line}:"
    if len(cells) > len(columns):
        raise UsageError(f"{where} there are more cells than columns. Delete what is too much.")
    row = dict(zip(columns, cells, strict=False))  # a short row ends with empty cells
    if not row.get(ID):
        raise UsageError(f"{where} the id is missing. Fill it in, or delete the row.")
    try:
        student = ids.checked(row[ID])
    except ids.NoId as problem:
        raise UsageError(f"{where} {problem}") from None
    return Student(student, {one: row[one] for one in COLUMNS if row.get(one)}, line)


def _check_once(path: Path, students: Sequence[Student]) -> None:
    """Raise UsageError if two students have one id, or are called the same by a program."""
    seen: dict[tuple[str, str], Student] = {}
    for one in students:
        own = [(ID, one.id, ids.key(one.id))]
        own += [(column, text, known(column, text)) for column, text in one.values.items()]
        for column, text, key in own:
            other = one if column == "name" else seen.setdefault((column, key), one)
            if other is not one:
                raise UsageError(
                    f"The roster {path} has the {column} {quoted(text)} twice, in lines "
                    f"{other.line} and {one.line}. Correct one of them."
                )


def _all() -> str:
    return ", ".join((ID, *COLUMNS))
