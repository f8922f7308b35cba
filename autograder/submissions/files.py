"""Read a stranger's file: only if it is a plain file, and only up to a limit."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

from autograder.cpu_limit import OutOfTime, cpu_limit
from autograder.errors import SubmissionError

KINDS: dict[str, Callable[[int], bool]] = {
    "a link": stat.S_ISLNK,
    "a folder": stat.S_ISDIR,
    "a named pipe": stat.S_ISFIFO,
    "a socket": stat.S_ISSOCK,
    "a device": lambda mode: stat.S_ISCHR(mode) or stat.S_ISBLK(mode),
}
# Follow no link, do not wait for a pipe's writer, do not take over a terminal; read bytes.
FLAGS = ("O_NOFOLLOW", "O_NONBLOCK", "O_NOCTTY", "O_CLOEXEC", "O_BINARY")


SECONDS = 10.0  # of CPU time to read one person's files; the largest honest ones take one


class Unreadable(SubmissionError):
    """A submission cannot be read; the text says why and what to do."""


class TooSlow(Unreadable):
    """Reading one person's files takes too long."""


@contextlib.contextmanager
def in_time(place: Path) -> Iterator[None]:
    """Raise TooSlow if reading one person's files in this block takes too long."""
    try:
        with cpu_limit(SECONDS):
            yield
    except OutOfTime:
        text = f"{place} takes more than {SECONDS:g} s to read. Keep only your own work in it."
        raise TooSlow(text) from None


def read(path: Path, most: int, what: str, remedy: str) -> bytes:
    """Read the bytes of a plain file. Raises Unreadable, also if it has more than `most` bytes.

    what and remedy are parts of the sentence if it is too large: "a module", and what to do.
    """
    try:
        _refuse(path, os.lstat(path).st_mode)  # a device may do something when it is opened
        flags = sum(getattr(os, flag, 0) for flag in FLAGS)
        with os.fdopen(os.open(path, os.O_RDONLY | flags), "rb") as file:
            found = os.fstat(file.fileno())
            _refuse(path, found.st_mode)
            check_size(path, found.st_size, most, what, remedy)
            data = file.read(found.st_size + 1)  # read() allocates as much as requested
    except FileNotFoundError:
        raise Unreadable(f"There is no file {path}.") from None
    except OSError as problem:
        raise Unreadable(f"{path} cannot be read: {problem.strerror}.") from None
    check_size(path, len(data), most, what, remedy)  # it may have grown
    return data


def check_size(path: Path, size: int, most: int, what: str, remedy: str) -> None:
    """Raise Unreadable if a size exceeds a limit, see `read`."""
    if size > most:
        shown = f"{size / 1e6:.1f} MB" if size >= 10**6 else f"{size:,} bytes"
        raise Unreadable(f"{path} has {shown}; {limit(what, most)} {remedy}")


def limit(what: str, most: int) -> str:
    """Return a sentence that says how large a file of some kind may be."""
    return f"{what} may have {f'{most // 10**6} MB' if most >= 10**6 else f'{most // 1000} kB'}."


def _refuse(path: Path, mode: int) -> None:
    """Raise Unreadable for the mode of anything except a plain file."""
    if not stat.S_ISREG(mode):
        kind = next((name for name, holds in KINDS.items() if holds(mode)), "something else")
        raise Unreadable(f"{path} is {kind}, not a file. Hand in the file itself.")
