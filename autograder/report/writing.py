"""Write a file as a whole or not at all, over nobody else's, with no formula in its cells."""

from __future__ import annotations

import os
import tempfile
import unicodedata
from pathlib import Path

HEAD = 4000  # characters in which our mark must stand
FORMULA = frozenset("=+-@\t\r\n")  # how a cell begins that a spreadsheet computes


class NotOurs(Exception):
    """Something that this program has not written would be lost; the text says what."""


def check_ours(path: Path, mark: str) -> None:
    """Is there nothing at a path, or a file that begins with what ours do? Raises NotOurs."""
    if not os.path.lexists(path):
        return
    try:
        if path.is_file() and not path.is_symlink():
            with path.open(encoding="utf-8") as file:
                if mark in file.read(HEAD):
                    return
    except (OSError, UnicodeDecodeError):
        pass
    raise NotOurs(f"{path} would be lost: it is not of this program's making. Name another place.")


def write(path: Path, text: str, mark: str) -> None:
    """Write a text that has the mark in its beginning. Raises NotOurs, OSError."""
    check_ours(path, mark)
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, unfinished = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".part")
    try:
        with open(handle, "w", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(unfinished, 0o600)  # grades are nobody else's to read
        os.replace(unfinished, path)
    except BaseException:
        os.unlink(unfinished)
        raise


def harmless(cell: str) -> str:
    """A table's cell that is read as what it says: with an apostrophe where it would compute."""
    first = unicodedata.normalize("NFKC", cell.lstrip(" ")[:1])
    return f"'{cell}" if first in FORMULA and first else cell
