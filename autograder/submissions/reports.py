"""Tell what this program has written from what students hand in: pages, tables, classes."""

from __future__ import annotations

import os
from pathlib import Path

from autograder import plain_file
from autograder.plain_file import NotPlain
from autograder.submissions import archives
from autograder.submissions.kinds import IGNORED
from autograder.submissions.source_text import form

GENERATOR = "attention exercise kit"
COLUMNS = ("id", "assignment", "status", "sandbox", "score", "max_score")  # of a table
PAGE = f'<meta name="generator" content="{GENERATOR}">'  # identifies our own pages
TABLE = ",".join(COLUMNS)  # identifies our own tables
TAKEN_IN = ".taken-in.json"  # in a class's folder that was made from a download
CLASS = f'{{"generator":"{GENERATOR}"'  # identifies this file
HEAD = 4000  # first bytes of a file, which contain the mark
LEVELS = 3  # of folders


def has_mark(path: Path, mark: str) -> bool:
    """Return whether a plain file has a mark near its beginning; False if it cannot be read."""
    try:
        with plain_file.opened(path) as file:
            return mark.encode() in file.read(HEAD)
    except (NotPlain, OSError):
        return False


def is_taken_in(folder: Path) -> bool:
    """Return whether a folder is a class's that this program has made from a download."""
    return has_mark(folder / TAKEN_IN, CLASS)


def is_report(path: Path, levels: int = LEVELS) -> bool:
    """Return whether this is a page or a table of ours, or a folder that holds nothing else.

    levels: how many folders may lie in each other.
    """
    if os.path.isdir(path) and not os.path.islink(path):
        return levels > 0 and _holds_reports(path, levels)
    if form(path.name) or archives.is_archive(path.name):
        return False
    return has_mark(path, PAGE) or has_mark(path, TABLE)


def _holds_reports(folder: Path, levels: int) -> bool:
    """Return whether a folder holds reports, and nothing else; False if it cannot be listed."""
    try:
        with os.scandir(folder) as entries:
            is_empty = True
            for entry in entries:
                if not IGNORED.fullmatch(entry.name):
                    is_empty = False
                    if not is_report(Path(entry.path), levels - 1):
                        return False
            return not is_empty
    except OSError:
        return False
