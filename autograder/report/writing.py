"""Write reports, and replace only files that this program has written."""

from __future__ import annotations

import argparse
import contextlib
import errno
import os
import unicodedata
from collections.abc import Iterator, Sequence
from pathlib import Path

from autograder import whole_file
from autograder.errors import MachineError, UsageError
from autograder.grading.fitting import NAME, PATH, SAID, cut
from autograder.submissions.reports import has_mark

FORMULA = frozenset("=+-@\t\r\n")  # first characters of cells that a spreadsheet computes


class NotOurs(UsageError):
    """A place is taken by what this program has not written; the text says which."""


class CannotWrite(MachineError):
    """A file or the output cannot be written; the text says which and why."""


def named_path(text: str) -> Path:
    """Return the path that an argument names. An empty one, of a variable not set, names none.

    Raises ArgumentTypeError.
    """
    if not text:
        raise argparse.ArgumentTypeError("the path is empty")
    return Path(text)


@contextlib.contextmanager
def telling(place: Path | str) -> Iterator[None]:
    """Raise CannotWrite instead of an OSError in a block, which writes at a place."""
    try:
        yield
    except OSError as problem:
        raise cannot_write(place, problem) from None


def cannot_write(place: Path | str, problem: OSError) -> CannotWrite:
    """Return the error that says why a place cannot be written."""
    full = problem.errno in (errno.ENOSPC, errno.EDQUOT)
    remedy = "Free some space" if full else "Change that, or use another place"
    named, reason = cut(str(place), PATH), cut(problem.strerror or str(problem), SAID)
    return CannotWrite(f"{named} cannot be written: {reason}. {remedy}, then repeat the command.")


def check_folders(path: Path) -> None:
    """Raise NotOurs if what should be a folder around a path is a file."""
    for folder in path.parents:
        if os.path.lexists(folder) and not os.path.isdir(folder):
            raise NotOurs(f"{path} cannot be made: {folder} is no folder. Name another place.")


def check_ours(path: Path, mark: str) -> None:
    """Raise NotOurs if there is anything at a path except a file of ours, which has the mark."""
    if not os.path.lexists(path):
        return
    if not has_mark(path, mark):
        shown = cut(str(path), PATH)
        raise NotOurs(f"{shown} would be lost: this program did not write it. Name another place.")


def write(path: Path, text: str, mark: str) -> None:
    """Write a text that has the mark near its beginning. Raises NotOurs, CannotWrite."""
    check_ours(path, mark)
    with telling(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        whole_file.write(path, text)  # nobody else may read grades


def listed(names: Sequence[str], most: int = 20) -> str:
    """Return names as they stand in a sentence: of too many, the first and how many more.

    A name with a comma is in quotation marks, since it would read as two names.
    """
    more = [f"and {len(names) - most} more"] if len(names) > most else []
    return ", ".join([*map(_shown, names[:most]), *more])


def _shown(name: str) -> str:
    text = cut(name, NAME)
    return f'"{text}"' if "," in text else text


def harmless(cell: str) -> str:
    """Return a table's cell, with an apostrophe in front if a spreadsheet would compute it."""
    first = unicodedata.normalize("NFKC", cell.lstrip(" ")[:1])
    return f"'{cell}" if first in FORMULA and first else cell
