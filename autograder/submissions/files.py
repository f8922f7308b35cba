"""Read a stranger's file: only if it is a plain file, and only up to a limit."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from autograder import plain_file
from autograder.cpu_limit import OutOfTime, cpu_limit
from autograder.errors import SubmissionError
from autograder.plain_file import NotPlain, TooLarge
from autograder.runtime.memory import memory_limit

QUOTED = 60  # characters of a name in a message
SECONDS = 10.0  # of CPU time to read one person's files; the largest honest ones take one


class Unreadable(SubmissionError):
    """A submission cannot be read; the text says why and what to do."""


class TooSlow(Unreadable):
    """Reading one person's files takes too long."""


def quoted(name: str) -> str:
    """Return a name that a stranger chose for a message: in quotes, in one line, and not long."""
    text = ascii(name)
    return text if len(text) <= QUOTED else f"{text[: QUOTED - 4]}...{text[0]}"


@contextlib.contextmanager
def in_time(place: Path) -> Iterator[None]:
    """Raise TooSlow if reading one person's files in this block takes too long, or too much memory.

    Nothing is limited where `cpu_limit` and `memory_limit` limit nothing.
    """
    try:
        with memory_limit(), cpu_limit(SECONDS):
            yield
    except MemoryError:
        text = f"{place} takes too much memory to read. Keep only your own work in it."
        raise TooSlow(text) from None
    except OutOfTime:
        text = f"{place} takes more than {SECONDS:g} s to read. Keep only your own work in it."
        raise TooSlow(text) from None


def read(path: Path, most: int, what: str, remedy: str) -> bytes:
    """Read the bytes of a plain file. Raises Unreadable, also if it has more than `most` bytes.

    what and remedy are parts of the sentence if it is too large: "a module", and what to do.
    """
    try:
        return plain_file.read(path, most)
    except NotPlain as kind:
        raise Unreadable(f"{path} is {kind}, not a file. Hand in the file itself.") from None
    except TooLarge as problem:
        raise _too_large(path, problem.size, most, what, remedy) from None
    except OSError as problem:
        raise _not_reached(path, problem) from None


def check_is_there(path: Path) -> None:
    """Raise Unreadable if there is nothing at a path, or nobody can tell."""
    try:
        os.lstat(path)
    except OSError as problem:
        raise _not_reached(path, problem) from None


def _not_reached(path: Path, problem: OSError) -> Unreadable:
    if isinstance(problem, FileNotFoundError):
        return Unreadable(f"There is no file {path}.")
    return Unreadable(f"{path} cannot be read: {problem.strerror}.")


def check_size(path: Path, size: int, most: int, what: str, remedy: str) -> None:
    """Raise Unreadable if a size exceeds a limit, see `read`."""
    if size > most:
        raise _too_large(path, size, most, what, remedy)


def limit(what: str, most: int) -> str:
    """Return a sentence that says how large a file of some kind may be."""
    return f"{what} may have {f'{most // 10**6} MB' if most >= 10**6 else f'{most // 1000} kB'}."


def _too_large(path: Path, size: int, most: int, what: str, remedy: str) -> Unreadable:
    shown = f"{size / 1e6:.1f} MB" if size >= 10**6 else f"{size:,} bytes"
    return Unreadable(f"{path} has {shown}; {limit(what, most)} {remedy}")
