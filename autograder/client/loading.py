"""Load the reference of an assignment: its code, or in a student's copy its recorded answers."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar, cast

from autograder import course, parsing
from autograder.client.loaded import Text
from autograder.client.references import LiveReference, RecordedReference, Recording
from autograder.errors import CourseError
from autograder.parsing import DamagedData

Reference = LiveReference | RecordedReference
MOST = 500_000_000  # bytes of a recording
T = TypeVar("T")
_parsed: dict[Path, tuple[tuple[int, ...], object]] = {}  # recordings, with the state of the file


class DamagedRecording(CourseError):
    """A student's copy has a damaged file of recorded answers; the text says what to do."""


def load(assignment: str) -> Reference:
    """Return the reference of an assignment. Raises DamagedRecording."""
    if course.is_students_copy():
        return RecordedReference(recorded(assignment, ".replies", Recording.decoded))
    return LiveReference(text(assignment))


def recorded(assignment: str, ending: str, parse: Callable[[bytes], T]) -> T:
    """Parse a recording of a student's copy, once until its file changes.

    What is parsed is kept for all who grade in this process. Raises DamagedRecording.
    """
    path = course.recorded_file(assignment, ending)
    shown = "/".join(path.parts[-3:])  # a whole path could be too long for a message
    now = _state(path)
    if path in _parsed and _parsed[path][0] == now:
        return cast("T", _parsed[path][1])
    try:
        made = parsing.read_linked(path, MOST, parse)
        _parsed[path] = now, made
        return made
    except DamagedData as problem:
        raise DamagedRecording(
            f"{shown} is damaged: {problem}. Unpack the kit again, and call make update KIT=path, "
            "with the path of its folder."
        ) from None


def _state(path: Path) -> tuple[int, ...]:
    """Return numbers that change when a file is written; none if there is no file."""
    with contextlib.suppress(OSError):  # reading it says why
        found = path.stat()
        return found.st_mtime_ns, found.st_size, found.st_ino
    return ()


def text(assignment: str) -> Text:
    """Return the solution of an assignment, with the other solutions as siblings."""
    names = course.sources()
    texts = {name: course.solution(name) for name in names}
    return Text(assignment, texts, names)
