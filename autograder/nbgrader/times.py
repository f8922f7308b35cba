"""Read the times of submissions from files and names that students may have written."""

from __future__ import annotations

import os
import re
from datetime import datetime, timedelta
from pathlib import Path

from nbgrader.coursedir import CourseDirectory
from nbgrader.utils import parse_utc

from autograder.submissions.files import Unreadable, read

TIMESTAMP = "timestamp.txt"  # nbgrader's exchange adds it to a submission
NO_TIME = "%s: timestamp.txt contains no valid time, so nothing is deducted for being late."
MOST_LINE = 1000  # bytes
MOST_HOURS = 14  # of a zone's offset: UTC+14 is in Kiribati
YEARS = range(1970, 3000)  # far from the limits of datetime, which conversion of zones may exceed
# A date, a time, and a zone by letters or as an offset: as nbgrader and isoformat write them.
TIME = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,6}))?)?)?"
    r"(?: ?(?P<zone>[A-Za-z]{1,6}|[+-]\d\d(?::?\d\d)?))?",
    re.ASCII,
)


def parsed(text: str) -> datetime | None:
    """Parse a time, in UTC; None if the text is not a plausible time.

    nbgrader's own parser accepts much more, such as numbers of many digits, or a zone that is the
    path of a file; and it takes an offset of hours for seconds.
    """
    if not (found := TIME.fullmatch(text)):
        return None
    *numbers, fraction, zone = found.groups(default="")
    year, month, day, hour, minute, second = (int(number or 0) for number in numbers)
    microsecond = int(fraction.ljust(6, "0"))
    try:
        time = _in_utc(datetime(year, month, day, hour, minute, second, microsecond), zone)
    except (ValueError, OverflowError):  # not in the calendar
        return None
    return time if time.year in YEARS else None


def _in_utc(time: datetime, zone: str) -> datetime:
    """Convert a time to UTC. Letters that are not the name of a zone here count as UTC."""
    if not zone.startswith(("+", "-")):
        return parse_utc(f"{time} {zone or 'UTC'}")
    sign = -1 if zone.startswith("-") else 1
    hours, minutes = int(zone[1:3]), int(zone[3:].lstrip(":") or 0)
    if hours > MOST_HOURS or minutes >= 60:
        raise ValueError(f"no zone is {zone} from UTC")
    return time - sign * timedelta(hours=hours, minutes=minutes)


def submission_name(name: str, assignment: str) -> tuple[str, datetime] | None:
    """Return the student and the time in the name of a folder in nbgrader's exchange, or None.

    Such a name is student+assignment+time+random letters. A student's id, and the time zone, may
    contain a plus sign as well.
    """
    pattern = rf"(.+?)\+{re.escape(assignment)}\+({TIME.pattern})(?:\+.*)?"
    found = re.fullmatch(pattern, name, re.ASCII | re.DOTALL)
    time = parsed(found[2]) if found else None
    return (found[1], time) if found and time else None


def time_of(folder: Path) -> str:
    """Return the text of a submission's time; "" if there is none that can be read."""
    text = line(folder / TIMESTAMP)
    return text if parsed(text) else ""


def is_time_unreadable(folder: Path) -> bool:
    """Return whether there is something in the place of a submission's time, but no time."""
    return os.path.lexists(folder / TIMESTAMP) and not time_of(folder)


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
