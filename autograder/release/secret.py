"""The course secret: never part of what students are given."""

from __future__ import annotations

import os
import secrets
import sys
from functools import cache

from autograder.course import ROOT, NoSecret

FILE = ROOT / ".course-secret"
DEFAULT = "attention is all you need to grade"
WARNING = (
    "The course secret is the default, which is published with the kit, so that anyone can work "
    "out the inputs of hidden checks: call make secret, which writes a secret of your own into "
    f"{FILE.name}."
)
WRITTEN = f"wrote {FILE.name}: keep it, and let no student have it"
EMPTY = f"{FILE} is empty, so it holds no course secret: delete it and call make secret."
UNREADABLE = "{} cannot be read as the course secret ({}): it has to be a file with a line of text."
THERE = "{} is there already and stays as it is: with another course secret, grades are others'."


@cache
def secret() -> str:
    """An instructor's own stands in the file .course-secret; without it a default is used.

    Raises NoSecret.
    """
    if is_default():
        return DEFAULT
    try:
        text = FILE.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as problem:
        raise NoSecret(UNREADABLE.format(FILE, type(problem).__name__)) from None
    if not any(c.isprintable() and not c.isspace() for c in text):
        raise NoSecret(EMPTY)
    return text


def is_default() -> bool:
    """Return whether the course has no secret of its own."""
    return not os.path.lexists(FILE)


def warn_of_default() -> None:
    """Say on stderr that the course has no secret of its own, where that is so."""
    if is_default():
        print(WARNING, file=sys.stderr)


def write_own() -> None:
    """Write a new secret into its file, which only its owner can read.

    Raises NoSecret if anything is there already.
    """
    try:
        file = os.open(FILE, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise NoSecret(THERE.format(FILE)) from None
    with open(file, "w", encoding="utf-8") as opened:
        opened.write(f"{secrets.token_urlsafe(32)}\n")
    secret.cache_clear()
