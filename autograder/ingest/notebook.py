"""The cells of a notebook, read as data: of what Jupyter writes besides, nothing is looked at."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

VERSIONS = (3, 4)  # of the format
# Lists and objects in one notebook. Reading makes each of them 60 bytes and more out of 2.
MOST_OPENED = 1_000_000


class Damaged(ValueError):
    """It is not a notebook; the text says in what way."""


class Cell(NamedTuple):
    """One cell. kind: 'code', 'markdown' and others. names: nbgrader's for it and Jupyter's."""

    kind: str
    source: str
    tags: tuple[str, ...]
    names: tuple[str, ...] = ()


def cells(data: bytes) -> list[Cell]:
    """The cells, from the first to the last. Raises Damaged, also where the text is not UTF-8."""
    if data.count(b"[") + data.count(b"{") > MOST_OPENED:
        raise Damaged("it has too many lists and objects")
    try:
        whole = json.loads(data.decode("utf-8-sig"), object_pairs_hook=_object)
    except RecursionError:
        raise Damaged("it is nested without end") from None
    except Damaged:
        raise
    except UnicodeDecodeError:
        raise Damaged("it is not UTF-8") from None
    except ValueError as problem:
        raise Damaged(f"{problem}") from None
    return [_cell(number, cell) for number, cell in enumerate(_cells(whole), 1)]


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise Damaged("an object names a key twice")
    return found


def _cells(whole: Any) -> Iterator[Any]:
    if not isinstance(whole, dict) or whole.get("nbformat", VERSIONS[-1]) not in VERSIONS:
        raise Damaged("its format is not version 4")
    sheets = whole.get("worksheets", [whole])  # where cells were before version 4
    for sheet in sheets if isinstance(sheets, list) else [None]:
        cells = sheet.get("cells") if isinstance(sheet, dict) else None
        if not isinstance(cells, list):
            raise Damaged("it has no list of cells")
        yield from cells


def _cell(number: int, cell: Any) -> Cell:
    """Read a cell; before version 4, code stood in its `input`."""
    match cell:
        case {"cell_type": str(kind), "source": source} | {"cell_type": str(kind), "input": source}:
            lines = source if isinstance(source, list) else [source]
            if all(isinstance(line, str) for line in lines):
                return Cell(kind, "".join(lines), _tags(cell), tuple(_names(cell)))
            raise Damaged(f"the text of cell {number} is none")
    raise Damaged(f"cell {number} has no kind or no text")


def _tags(cell: dict[str, Any]) -> tuple[str, ...]:
    match cell:
        case {"metadata": {"tags": list(tags)}}:
            return tuple(tag for tag in tags if isinstance(tag, str))
    return ()


def _names(cell: dict[str, Any]) -> Iterator[str]:
    match cell:
        case {"metadata": {"nbgrader": {"grade_id": str(name)}}}:
            yield name
    match cell:
        case {"id": str(name)}:
            yield name
