"""Read a file in whose place anything may lie: only if it is a plain file, and up to a limit."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

from autograder.errors import Signal

KINDS: dict[str, Callable[[int], bool]] = {
    "a link": stat.S_ISLNK,
    "a folder": stat.S_ISDIR,
    "a named pipe": stat.S_ISFIFO,
    "a socket": stat.S_ISSOCK,
    "a device": lambda mode: stat.S_ISCHR(mode) or stat.S_ISBLK(mode),
}
# Follow no link, do not wait for a pipe's writer, do not take over a terminal; read bytes.
FLAGS = ("O_NOFOLLOW", "O_NONBLOCK", "O_NOCTTY", "O_CLOEXEC", "O_BINARY")


class NotPlain(Signal):
    """Something else lies in the place of a file; the text says what, e.g. "a named pipe"."""


class TooLarge(Signal):
    """A file has more bytes than it may have. size: at least how many."""

    def __init__(self, size: int) -> None:
        super().__init__(f"{size} bytes")
        self.size = size


@contextlib.contextmanager
def opened(path: Path | str, folder: int | None = None) -> Iterator[BinaryIO]:
    """Open a plain file for reading. Raises NotPlain, OSError.

    folder: an open folder in which the path begins.
    """
    _check(os.lstat(path, dir_fd=folder))  # a device may do something when it is opened
    flags = sum(getattr(os, flag, 0) for flag in FLAGS)
    with os.fdopen(os.open(path, os.O_RDONLY | flags, dir_fd=folder), "rb") as file:
        _check(os.fstat(file.fileno()))
        yield file


def read(path: Path, most: int) -> bytes:
    """Read the bytes of a plain file, at most `most`. Raises NotPlain, TooLarge, OSError."""
    with opened(path) as file:
        size = os.fstat(file.fileno()).st_size
        if size > most:
            raise TooLarge(size)
        data = file.read(size + 1)  # read() allocates as much as requested
    if len(data) > most:  # it has grown
        raise TooLarge(len(data))
    return data


def _check(found: os.stat_result) -> None:
    if not stat.S_ISREG(found.st_mode):
        kinds = (name for name, holds in KINDS.items() if holds(found.st_mode))
        raise NotPlain(next(kinds, "something else"))
