"""Read the cells of a notebook as data, and ignore everything else in the file."""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from autograder.errors import SubmissionError
from autograder.submissions.outputs import HEAVY, OUTPUTS, OutputsTooLarge, without_outputs

VERSIONS = (3, 4)  # of the format
# Lists and objects in one notebook. Each takes 2 bytes in the file, but 60 or more when parsed.
MOST_OPENED = 200_000  # brackets of lists and objects
MOST_QUOTES = 1_000_000
MOST_CELLS = 20_000
MOST_WITHOUT_OUTPUTS = 20_000_000  # bytes
MOST_AFTER_END = 200  # characters: a stray bracket or NUL, but not a second notebook
UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


class DamagedNotebook(SubmissionError):
    """A file is not a notebook; the text says why."""


class Cell(NamedTuple):
    """One cell. kind: 'code', 'markdown' and others. names: nbgrader's and Jupyter's for it."""

    kind: str
    source: str
    tags: tuple[str, ...]
    names: tuple[str, ...] = ()


def cells(data: bytes) -> list[Cell]:
    """Return the cells in order. Raises DamagedNotebook."""
    found = list(cells_as_parsed(parsed(data)))
    if len(found) > MOST_CELLS:
        raise DamagedNotebook(f"it has {len(found)} cells")
    return [_cell(number, cell) for number, cell in enumerate(found, 1)]


def parsed(data: bytes, pictures: bool = False) -> Any:
    """Parse the JSON of a notebook without its outputs. Raises DamagedNotebook.

    The text may be UTF-16, and a stray character may follow its end. pictures: keep those that were
    pasted into the text, however large.
    """
    try:
        most, heavy = (len(data), OUTPUTS) if pictures else (MOST_WITHOUT_OUTPUTS, HEAVY)
        slim = without_outputs(_utf_8(data), most, heavy)
        _check_counts(slim)
        text = slim.decode().lstrip("\ufeff \t\r\n")
        whole, end = DECODER.raw_decode(text)
    except RecursionError:
        raise DamagedNotebook("it is nested too deeply") from None
    except UnicodeDecodeError:
        raise DamagedNotebook("it is not UTF-8") from None
    except DamagedNotebook:
        raise
    except (ValueError, OutputsTooLarge) as problem:
        raise DamagedNotebook(str(problem)) from None
    if len(text[end:].strip("\0 \t\r\n")) > MOST_AFTER_END or "cells" in text[end:]:
        raise DamagedNotebook("something follows its end")
    return whole


def _check_counts(data: bytes) -> None:
    """Raise DamagedNotebook if there are more lists, objects or texts than are parsed.

    Brackets and quotes within a text are none. Texts are told apart only where there are many.
    """
    if _opened(data) <= MOST_OPENED and data.count(b'"') <= MOST_QUOTES:
        return
    plain = data.replace(rb"\\", b"").replace(rb"\"", b"")  # each quote begins or ends a text
    if plain.count(b'"') > MOST_QUOTES:
        raise DamagedNotebook("it has too many texts")
    if sum(map(_opened, plain.split(b'"')[::2])) > MOST_OPENED:
        raise DamagedNotebook("it has too many lists and objects")


def _opened(data: bytes) -> int:
    return data.count(b"[") + data.count(b"{")


def _utf_8(data: bytes) -> bytes:
    if not data.startswith(UTF_16):
        return data
    if len(data) > MOST_WITHOUT_OUTPUTS:
        raise DamagedNotebook("it is UTF-16 and large: save it as UTF-8")
    return data.decode("utf-16").encode("utf-8", "surrogatepass")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs) and any(found[key] != value for key, value in pairs):
        raise DamagedNotebook("an object has a key twice, with different values")
    return found


DECODER = json.JSONDecoder(object_pairs_hook=_object)


def cells_as_parsed(whole: Any) -> Iterator[Any]:
    """Yield what a parsed notebook has as cells, of any form. Raises DamagedNotebook."""
    version = whole.get("nbformat", VERSIONS[-1]) if isinstance(whole, dict) else None
    if version not in (*VERSIONS, *map(str, VERSIONS)):
        raise DamagedNotebook("its format is not version 4")
    sheets = whole.get("worksheets", [whole])  # where cells were before version 4
    for sheet in sheets if isinstance(sheets, list) else [None]:
        cells = sheet.get("cells") if isinstance(sheet, dict) else None
        if not isinstance(cells, list):
            raise DamagedNotebook("it has no list of cells")
        yield from cells


def _cell(number: int, cell: Any) -> Cell:
    """Read a cell; before version 4, code stood in its `input`.

    A cell without text is empty. A cell without a kind is code if it has outputs or could have any.
    """
    if cell is None:
        return Cell("raw", "", ())
    if not isinstance(cell, dict):
        raise DamagedNotebook(f"cell {number} has no kind or no text")
    runs = any(key in cell for key in ("outputs", "execution_count", "input"))
    kind = cell.get("cell_type")
    kind = ("code" if runs else "markdown") if kind is None else kind
    source = cell.get("source", cell.get("input"))
    lines = source if isinstance(source, list) else [source]
    if not isinstance(kind, str):
        raise DamagedNotebook(f"cell {number} has no kind or no text")
    if not all(line is None or isinstance(line, str) for line in lines):
        raise DamagedNotebook(f"the source of cell {number} is not text")
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
