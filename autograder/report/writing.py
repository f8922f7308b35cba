"""Write reports, and replace only files that this program has written."""

from __future__ import annotations

import os
import unicodedata
from pathlib import Path

from autograder import whole_file
from autograder.errors import UsageError

HEAD = 4000  # first characters of a file, which contain our mark
FORMULA = frozenset("=+-@\t\r\n")  # first characters of cells that a spreadsheet computes


class NotOurs(UsageError):
    """Writing would replace a file that this program has not written; the text says which."""


def check_ours(path: Path, mark: str) -> None:
    """Raise NotOurs if there is anything at a path except a file of ours, which has the mark."""
    if not os.path.lexists(path):
        return
    try:
        if path.is_file() and not path.is_symlink():
            with path.open(encoding="utf-8") as file:
                if mark in file.read(HEAD):
                    return
    except (OSError, UnicodeDecodeError):
        pass
    raise NotOurs(f"{path} would be lost: this program did not write it. Name another place.")


def write(path: Path, text: str, mark: str) -> None:
    """Write a text that has the mark near its beginning. Raises NotOurs, OSError."""
    check_ours(path, mark)
    path.parent.mkdir(parents=True, exist_ok=True)
    whole_file.write(path, text)  # nobody else may read grades


def harmless(cell: str) -> str:
    """Return a table's cell, with an apostrophe in front if a spreadsheet would compute it."""
    first = unicodedata.normalize("NFKC", cell.lstrip(" ")[:1])
    return f"'{cell}" if first in FORMULA and first else cell
