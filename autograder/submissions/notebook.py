"""The cells of a notebook, read as data: of what Jupyter writes besides, nothing is looked at."""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from autograder.submissions.outputs import Endless, without_outputs

VERSIONS = (3, 4)  # of the format
# Lists and objects in one notebook. Reading makes each of them 60 bytes and more out of 2.
MOST_OPENED = 1_000_000
MOST_BESIDES = 20_000_000  # bytes of a notebook without its outputs
MOST_BEHIND = 200  # characters behind the end: a stray bracket or NUL, and no second notebook
UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


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
    return [_cell(number, cell) for number, cell in enumerate(_cells(parsed(data)), 1)]


def parsed(data: bytes) -> Any:
    """The JSON of a notebook without its outputs; it may be UTF-16, and end with a stray character.

    Raises Damaged.
    """
    try:
        slim = without_outputs(_utf_8(data))
        if len(slim) > MOST_BESIDES:
            raise Damaged(f"it has {len(slim) / 1e6:.0f} MB besides its outputs")
        if slim.count(b"[") + slim.count(b"{") > MOST_OPENED:
            raise Damaged("it has too many lists and objects")
        text = slim.decode().lstrip("\ufeff \t\r\n")
        whole, end = DECODER.raw_decode(text)
    except RecursionError:
        raise Damaged("it is nested without end") from None
    except Endless as problem:
        raise Damaged(str(problem)) from None
    except UnicodeDecodeError:
        raise Damaged("it is not UTF-8") from None
    except Damaged:
        raise
    except ValueError as problem:
        raise Damaged(f"{problem}") from None
    if len(text[end:].strip("\0 \t\r\n")) > MOST_BEHIND or "cells" in text[end:]:
        raise Damaged("something follows behind its end")
    return whole


def _utf_8(data: bytes) -> bytes:
    if not data.startswith(UTF_16):
        return data
    if len(data) > MOST_BESIDES:
        raise Damaged("it is UTF-16 and large: save it as UTF-8")
    return data.decode("utf-16").encode("utf-8", "surrogatepass")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise Damaged("an object names a key twice")
    return found


DECODER = json.JSONDecoder(object_pairs_hook=_object)


def _cells(whole: Any) -> Iterator[Any]:
    version = whole.get("nbformat", VERSIONS[-1]) if isinstance(whole, dict) else None
    if version not in (*VERSIONS, *map(str, VERSIONS)):
        raise Damaged("its format is not version 4")
    sheets = whole.get("worksheets", [whole])  # where cells were before version 4
    for sheet in sheets if isinstance(sheets, list) else [None]:
        cells = sheet.get("cells") if isinstance(sheet, dict) else None
        if not isinstance(cells, list):
            raise Damaged("it has no list of cells")
        yield from cells


def _cell(number: int, cell: Any) -> Cell:
    """Read a cell; before version 4, code stood in its `input`.

    One without a text is empty; one without a kind is code if it was ever run, or could be.
    """
    if cell is None:
        return Cell("raw", "", ())
    if not isinstance(cell, dict):
        raise Damaged(f"cell {number} has no kind or no text")
    runs = any(key in cell for key in ("outputs", "execution_count", "input"))
    kind = cell.get("cell_type")
    kind = ("code" if runs else "markdown") if kind is None else kind
    source = cell.get("source", cell.get("input"))
    lines = source if isinstance(source, list) else [source]
    if not isinstance(kind, str):
        raise Damaged(f"cell {number} has no kind or no text")
    if not all(line is None or isinstance(line, str) for line in lines):
        raise Damaged(f"the text of cell {number} is none")
    return Cell(kind, "".join(filter(None, lines)), _tags(cell), tuple(_names(cell)))


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
