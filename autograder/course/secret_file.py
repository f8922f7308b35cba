"""The file of the course secret. Neither is part of what students are given."""

from __future__ import annotations

import os
import secrets
import sys
from functools import cache
from pathlib import Path

from autograder.course import place
from autograder.course.secrecy import NoSecret

NAME = ".course-secret"  # of the file, beside the course
DEFAULT = "attention is all you need to grade"
WARNING = (
    "The course secret is the default, which is published with the kit, so that anyone can work "
    "out the inputs of hidden checks: call make secret, which writes a secret of your own into "
    f"{NAME}."
)
WRITTEN = f"wrote {NAME}: keep it, and let no student have it"
EMPTY = "{} is empty, so it holds no course secret: delete it and call make secret."
UNREADABLE = "{} cannot be read as the course secret ({}): it has to be a file with a line of text."
THERE = "{} is there already and stays as it is: with another course secret, grades are others'."


def read() -> str:
    """An instructor's own, or else the default. Raises NoSecret."""
    return _read(file())


def file() -> Path:
    """Where the course keeps its secret."""
    return place.root() / NAME


@cache
def _read(path: Path) -> str:
    if not os.path.lexists(path):
        return DEFAULT
    try:
        text = path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as problem:
        raise NoSecret(UNREADABLE.format(path, type(problem).__name__)) from None
    if not any(c.isprintable() and not c.isspace() for c in text):
        raise NoSecret(EMPTY.format(path))
    return text


def is_default() -> bool:
    """Return whether the course has no secret of its own."""
    return not os.path.lexists(file())


def warn_of_default() -> None:
    """Say on stderr that the course has no secret of its own, where that is so."""
    if is_default():
        print(WARNING, file=sys.stderr)


def write_own() -> None:
    """Write a new secret into its file, which only its owner can read.

    Raises NoSecret if anything is there already.
    """
    try:
        opened = os.open(file(), os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise NoSecret(THERE.format(file())) from None
    with open(opened, "w", encoding="utf-8") as written:
        written.write(f"{secrets.token_urlsafe(32)}\n")
    _read.cache_clear()
