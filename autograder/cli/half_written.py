"""Tell a file that may be half-written: editors and slow disks write some in pieces."""

from __future__ import annotations

import ast
import os
import warnings
from pathlib import Path

from autograder import parsing, plain_file
from autograder.course import DEFINED, assignments
from autograder.parsing import DamagedData
from autograder.plain_file import NotPlain, TooLarge
from autograder.submissions.files import Unreadable
from autograder.submissions.source_text import MAX_NOTEBOOK, decode_source, form, stem
from autograder.submissions.work import exercises_of


def may_be_half(path: Path) -> bool:
    """Return whether a module or a notebook looks as if more of it were to come.

    False if it cannot be read, except now: its grade says why.
    """
    try:
        data = plain_file.read(path, MAX_NOTEBOOK)
    except PermissionError:  # on Windows, an editor may have locked it
        return True
    except (NotPlain, TooLarge, OSError):
        return not os.path.exists(path)  # some editors delete the old one first
    try:
        if form(path.name) == ".ipynb":
            parsing.parsed(data, parsing.json_object)
            return False
        return not _is_whole(decode_source(data, path), stem(path.name))
    except (DamagedData, Unreadable):
        return True


def _is_whole(text: str, name: str) -> bool:
    """Return whether a module has the end of its last line, all its exercises, and no open end."""
    expected = exercises_of(name) if name in assignments() else frozenset()
    if not text.endswith("\n") or not expected <= {*DEFINED.findall(text)}:
        return False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True
