"""A CSV file of somebody else's, of which single cells change and every other byte stays.

The standard library's csv module does not tell where a cell stands, so this one reads the format
itself. Source: RFC 4180, with `;` and tab as further delimiters and any line ends.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder import parsing
from autograder.errors import UsageError
from autograder.parsing import DamagedData

MOST = 100_000_000  # bytes
BOM = "\ufeff"
DELIMITERS = ",;\t"
NO_FILE = "There is no file {}. Download it from {}, and name that."
DAMAGED = "{} cannot be read as {} ({}). Download it again, and do not save it in a spreadsheet."


@dataclass(frozen=True)
class Cell:
    """A cell: its text without quotes, and its place in the file's text, quotes included."""

    text: str
    start: int
    end: int
    is_quoted: bool


Row = tuple[Cell, ...]


@dataclass(frozen=True)
class Table:
    """A table. source: the file's text. rows: without the heading, and without empty lines."""

    path: Path
    source: str
    delimiter: str
    heading: Row
    rows: tuple[Row, ...]

    def columns(self) -> list[str]:
        """Return the names of the columns."""
        return [cell.text for cell in self.heading]

    def line(self, row: Row) -> int:
        """Return the number of the line in which a row begins."""
        return 1 + self.source.count("\n", 0, row[0].start)

    def cell(self, row: Row, column: int) -> Cell:
        """Return a cell of a row. Raises UsageError if the row is too short."""
        if len(row) != len(self.heading):
            found = f"line {self.line(row)} has {len(row)} cells, the heading {len(self.heading)}"
            raise UsageError(DAMAGED.format(self.path, "a table", found))
        return row[column]

    def filled(self, new: Mapping[Cell, str], quoted: Container[Cell] = ()) -> bytes:
        """Return the file with new texts in some cells, which keep their quotes.

        quoted: cells that get quotes in any case.
        """
        parts, end = [], 0
        for cell in sorted(new, key=lambda cell: cell.start):
            text = new[cell]
            is_special = any(c in text for c in f'{self.delimiter}"\r\n')
            if cell.is_quoted or is_special or cell in quoted:
                text = '"' + text.replace('"', '""') + '"'
            parts += [self.source[end : cell.start], text]
            end = cell.end
        return "".join([*parts, self.source[end:]]).encode()


def read(path: Path, kind: str, origin: str, recognized: Callable[[Sequence[str]], bool]) -> Table:
    """Read a table. Raises UsageError if it is not of the kind.

    kind: what it is called in a sentence. origin: where it comes from. recognized: tells from the
    names of columns whether it is one, and so which character separates cells.
    """
    if not path.is_file():
        raise UsageError(NO_FILE.format(path, origin))
    try:
        source = parsing.read_linked(path, MOST, _text)
        for delimiter in DELIMITERS:
            first = next(_rows(source, delimiter), ())
            if recognized([cell.text for cell in first]):
                heading, *rows = _rows(source, delimiter)
                return Table(path, source, delimiter, heading, tuple(rows))
        raise DamagedData("its first line has other columns")
    except DamagedData as problem:
        raise UsageError(DAMAGED.format(path, kind, problem)) from None


def _text(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise ValueError("it is not UTF-8 text") from None


def _rows(source: str, delimiter: str) -> Iterator[Row]:
    """Yield the rows that are not empty. Raises DamagedData."""
    cell = re.compile(rf'"([^"]*(?:""[^"]*)*)"|([^{delimiter}\r\n"][^{delimiter}\r\n]*)?')
    at, row = len(BOM) if source.startswith(BOM) else 0, list[Cell]()
    while at < len(source) or row:
        found = cell.match(source, at)
        assert found  # it matches nothing, too
        is_quoted = found[1] is not None
        text = found[1].replace('""', '"') if is_quoted else found[2] or ""
        row.append(Cell(text, at, found.end(), is_quoted))
        at = found.end()
        if source.startswith(delimiter, at):
            at += 1
            continue
        if at < len(source) and source[at] not in "\r\n":
            line = 1 + source.count("\n", 0, at)
            raise DamagedData(f"a quotation mark in line {line} is not closed, or not doubled")
        at += 2 if source.startswith("\r\n", at) else 1
        if len(row) > 1 or row[0].text:
            yield tuple(row)
        row = []
