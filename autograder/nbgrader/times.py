"""When something was handed in: read from a file that the student may have written."""

from __future__ import annotations

import re
from datetime import datetime
from pathlib import Path

from nbgrader.coursedir import CourseDirectory
from nbgrader.utils import parse_utc

from autograder.submissions.files import Unreadable, read

TIMESTAMP = "timestamp.txt"  # what nbgrader's exchange lays beside a notebook
MOST_LINE = 1000  # bytes
YEARS = range(1970, 3000)  # in the first and the last there is, other zones have no such time
# A date, a time, a zone by its letters or as a difference: as nbgrader writes it, and isoformat.
TIME = re.compile(
    r"\d{4}-\d\d-\d\d([ T]\d\d:\d\d(:\d\d(\.\d{1,6})?)?)?(Z| ?[A-Z]{1,5}| ?[+-]\d\d:?\d\d)?",
    re.ASCII,
)


def parsed(text: str) -> datetime | None:
    """The time, in UTC, that a text says; None for a text that nobody's clock has written.

    What is handed on to nbgrader's parser could be anything else for it: a number of many digits, a
    zone that is the path of a file.
    """
    if not TIME.fullmatch(text):
        return None
    try:
        time = parse_utc(text)
    except (ValueError, OverflowError):  # no day of the calendar
        return None
    return time if time.year in YEARS else None


def time_of(folder: Path) -> str:
    """The time of a submission; "" where there is none that can be read."""
    text = line(folder / TIMESTAMP)
    return text if parsed(text) else ""


def line(path: Path) -> str:
    """What nbgrader has written beside a notebook; "" where there is none that can be read."""
    try:
        return read(path, MOST_LINE, "a line", "Collect it again.").decode("ascii").strip()
    except (Unreadable, UnicodeDecodeError):
        return ""


def take_no_other() -> None:
    """Let nbgrader read times so: one that it cannot read ends a command for the whole class."""
    CourseDirectory.get_existing_timestamp = _existing


def _existing(directory: CourseDirectory, folder: str) -> datetime | None:
    text = line(Path(folder) / TIMESTAMP)
    if text and not parsed(text):
        directory.log.warning("%s says no time; it counts for none.", Path(folder) / TIMESTAMP)
    return parsed(text)
