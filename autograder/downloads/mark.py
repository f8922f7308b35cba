"""The mark in a class's folder that says what was taken in, so that only our own is replaced."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec

from autograder import parsing, plain_file
from autograder.grading.fitting import PATH, cut
from autograder.parsing import DamagedData
from autograder.plain_file import NotPlain
from autograder.report.writing import NotOurs
from autograder.submissions.files import quoted
from autograder.submissions.reports import GENERATOR, TAKEN_IN

FORMAT = 1
MOST = 500_000_000  # bytes
LITTER = (".DS_Store", "desktop.ini", "Thumbs.db")  # which a system may add, and nobody misses
LARGEST = 1 << 40  # bytes of one file: those that we have written are smaller


@dataclass(frozen=True)
class Mark:
    """The content of a mark. students: SHA-256 (hexadecimal) of each file, by id and name."""

    generator: str
    format: int
    platform: str
    students: Mapping[str, Mapping[str, str]]


@dataclass(frozen=True)
class Changes:
    """Ids of students by what has changed since the class's folder was written before."""

    new: list[str]
    changed: list[str]
    gone: list[str]
    same: list[str]


def made(platform: str, students: Mapping[str, Mapping[str, str]]) -> Mark:
    """Return the mark of what has just been taken in."""
    return Mark(GENERATOR, FORMAT, platform, students)


def write(folder: Path, mark: Mark) -> None:
    """Write the mark into a class's folder. Raises OSError."""
    (folder / TAKEN_IN).write_bytes(msgspec.json.encode(mark))


def read(folder: Path) -> Mark | None:
    """Return the mark in a class's folder if it may be replaced; None if there is no such folder.

    Raises NotOurs if anything there is not as we have written it.
    """
    if not os.path.lexists(folder):
        return None
    shown = cut(str(folder), PATH)
    try:
        if os.path.islink(folder):
            raise DamagedData("it is a link")
        mark = parsing.read(folder / TAKEN_IN, MOST, _decode)
    except DamagedData:
        raise NotOurs(
            f"{shown} would be lost: this program did not write it. Name another place."
        ) from None
    if changed := _changed(folder, mark):
        raise NotOurs(
            f"{shown} is not replaced, since {quoted(changed)} in it is not as it was taken in. "
            "Move the folder away, or name another place."
        )
    return mark


def digest(data: bytes) -> str:
    """Return what the mark says of a file's content."""
    return hashlib.sha256(data).hexdigest()


def changes(before: Mark, now: Mark) -> Changes:
    """Return whose files have changed, in the order of the ids."""
    old, new = before.students, now.students
    both = sorted(old.keys() & new.keys())
    return Changes(
        sorted(new.keys() - old.keys()),
        [one for one in both if old[one] != new[one]],
        sorted(old.keys() - new.keys()),
        [one for one in both if old[one] == new[one]],
    )


def _decode(data: bytes) -> Mark:
    mark = msgspec.json.decode(data, type=Mark)
    if (mark.generator, mark.format) != (GENERATOR, FORMAT):
        raise ValueError("another program wrote it")
    return mark


def _changed(folder: Path, mark: Mark) -> str | None:
    """Return the name of a file that was changed, added or removed, or None."""
    expected = {
        f"{id}/{name}": sum for id, own in mark.students.items() for name, sum in own.items()
    }
    found = {*_files(folder)}
    if different := sorted(expected.keys() ^ found):
        return different[0]
    return next((name for name in sorted(found) if _sum(folder / name) != expected[name]), None)


def _files(folder: Path) -> Iterator[str]:
    """Yield the names of all files and links, except the mark and what systems add."""
    for place, folders, files in os.walk(folder):
        links = [one for one in folders if os.path.islink(os.path.join(place, one))]
        for name in (*files, *links):
            known = Path(place, name).relative_to(folder).as_posix()
            if name not in LITTER and known != TAKEN_IN:
                yield known


def _sum(path: Path) -> str:
    """Return the digest of a file, "" if it cannot be read."""
    try:
        return digest(plain_file.read(path, LARGEST))
    except (NotPlain, OSError):
        return ""
