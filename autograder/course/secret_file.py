"""The file of the course secret. Students get neither the file nor this module."""

from __future__ import annotations

import os
import secrets
import sys
from functools import cache
from pathlib import Path

from autograder import parsing
from autograder.course import commands, place
from autograder.errors import CourseError
from autograder.parsing import DamagedData

NAME = ".course-secret"  # of the file, next to the course
MOST = 10_000  # bytes of it
DEFAULT = "attention is all you need to grade"
WARNING = (
    "The course secret is the default, which is published with the kit, so that anyone can work "
    "out the inputs of hidden checks: call {}, which writes your own into {}."
)
WRITTEN = "wrote {}: keep it, and show it to no student"
EMPTY = "{} is empty, so it holds no course secret: delete it and call {}."
UNREADABLE = "{} cannot be read as the course secret ({}): it must be a file with a line of text."
THERE = "{} exists and stays unchanged: a different course secret gives different grades."


class NoSecret(CourseError):
    """The course secret cannot be read or written; the text says what to do."""


def read() -> str:
    """Return the instructor's own secret or, without one, the default. Raises NoSecret."""
    return _read(file())


def file() -> Path:
    """Return the path of the course's secret file."""
    return place.root() / NAME


def stamp() -> tuple[int, ...]:
    """Return numbers that change when the file does, () if there is none. Raises OSError."""
    try:
        found = file().stat()
    except FileNotFoundError:
        return ()
    return found.st_mtime_ns, found.st_size, found.st_ino


@cache
def _read(path: Path) -> str:
    if not os.path.lexists(path):
        return DEFAULT
    try:
        text = parsing.read_linked(path, MOST, parsing.text).strip()
    except DamagedData as problem:
        raise NoSecret(UNREADABLE.format(path, problem)) from None
    if not any(c.isprintable() and not c.isspace() for c in text):
        raise NoSecret(EMPTY.format(path, command()))
    return text


def is_default() -> bool:
    """Return whether the course has no secret of its own."""
    return not os.path.lexists(file())


def command() -> str:
    """Return what to type for a secret of the course that is used."""
    return commands.command("make secret", "secret")


def warning() -> str:
    """Return the warning that the course has no secret of its own, with the remedy."""
    return WARNING.format(command(), NAME if place.is_default() else commands.near(file()))


def warn_of_default() -> None:
    """Warn on stderr if the course has no secret of its own."""
    if is_default():
        print(warning(), file=sys.stderr)


def write_own() -> str:
    """Write a new secret into its file, which only its owner can read.

    Returns what to tell its owner. Raises NoSecret if the file exists already.
    """
    try:
        opened = os.open(file(), os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise NoSecret(THERE.format(file())) from None
    with open(opened, "w", encoding="utf-8") as written:
        written.write(f"{secrets.token_urlsafe(32)}\n")
    _read.cache_clear()
    return WRITTEN.format(commands.near(file()))
