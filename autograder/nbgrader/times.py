"""Read the times of submissions from files that students may have written."""

from __future__ import annotations

import re
from datetime import datetime
from pathlib import Path

from nbgrader.coursedir import CourseDirectory
from nbgrader.utils import parse_utc

from autograder.submissions.files import Unreadable, read

TIMESTAMP = "timestamp.txt"  # nbgrader's exchange adds it to a submission
MOST_LINE = 1000  # bytes
YEARS = range(1970, 3000)  # far from the limits of datetime, which conversion of zones may exceed
# A date, a time, and a zone by letters or as an offset: as nbgrader and isoformat write them.
TIME = re.compile(
    r"\d{4}-\d\d-\d\d([ T]\d\d:\d\d(:\d\d(\.\d{1,6})?)?)?(Z| ?[A-Z]{1,5}| ?[+-]\d\d:?\d\d)?",
    re.ASCII,
)


def parsed(text: str) -> datetime | None:
    """Parse a time, in UTC; None if the text is not a plausible time.

    The pattern protects nbgrader's parser, which accepts much more: numbers of many digits, or a
    zone that is the path of a file.
    """
    if not TIME.fullmatch(text):
        return None
    try:
        time = parse_utc(text)
    except (ValueError, OverflowError):  # not in the calendar
        return None
    return time if time.year in YEARS else None


def time_of(folder: Path) -> str:
    """Return the text of a submission's time; "" if there is none that can be read."""
    text = line(folder / TIMESTAMP)
    return text if parsed(text) else ""


def line(path: Path) -> str:
    """Return the line in a file that nbgrader adds to submissions; "" if it cannot be read."""
    try:
        return read(path, MOST_LINE, "a line", "Collect it again.").decode("ascii").strip()
    except (Unreadable, UnicodeDecodeError):
        return ""


def check_timestamps() -> None:
    """Let nbgrader read times with `parsed`: else a bad one stops a command for the whole class."""
    CourseDirectory.get_existing_timestamp = _existing


def _existing(directory: CourseDirectory, folder: str) -> datetime | None:
    text = line(Path(folder) / TIMESTAMP)
    if text and not parsed(text):
        directory.log.warning("%s contains no valid time; it is ignored.", Path(folder) / TIMESTAMP)
    return parsed(text)
