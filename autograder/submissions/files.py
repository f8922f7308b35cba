"""Read a file that a stranger has made, if it is one, and no more of it than there may be."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path

KINDS: dict[str, Callable[[int], bool]] = {
    "a link": stat.S_ISLNK,
    "a folder": stat.S_ISDIR,
    "a named pipe": stat.S_ISFIFO,
    "a socket": stat.S_ISSOCK,
    "a device": lambda mode: stat.S_ISCHR(mode) or stat.S_ISBLK(mode),
}
# Not through a link, not waiting for whoever writes to a pipe, no terminal of ours; as bytes.
FLAGS = ("O_NOFOLLOW", "O_NONBLOCK", "O_NOCTTY", "O_CLOEXEC", "O_BINARY")


class Unreadable(Exception):
    """A submission cannot be read; the text says why and what to do."""


def read(path: Path, most: int, what: str, remedy: str) -> bytes:
    """The bytes of a file. Raises Unreadable where it is anything else, or has more than `most`.

    what: a file of this kind, and remedy: what to do where it is too large, for the sentence.
    """
    try:
        _refuse(path, os.lstat(path).st_mode)  # a device may do something when it is opened
        flags = sum(getattr(os, flag, 0) for flag in FLAGS)
        with os.fdopen(os.open(path, os.O_RDONLY | flags), "rb") as file:
            found = os.fstat(file.fileno())
            _refuse(path, found.st_mode)
            data = file.read(min(most, found.st_size) + 1)  # it takes room for all it may read
    except FileNotFoundError:
        raise Unreadable(f"There is no file {path}.") from None
    except OSError as problem:
        raise Unreadable(f"{path} cannot be read: {problem.strerror}.") from None
    check_size(path, max(len(data), found.st_size), most, what, remedy)
    return data


def check_size(path: Path, size: int, most: int, what: str, remedy: str) -> None:
    """Raises Unreadable where there is more than there may be, see `read`."""
    if size > most:
        raise Unreadable(f"{path} has {size / 1e6:.1f} MB; {limit(what, most)} {remedy}")


def limit(what: str, most: int) -> str:
    """How large a file of some kind may be, as a sentence."""
    return f"{what} may have {f'{most // 10**6} MB' if most >= 10**6 else f'{most // 1000} kB'}."


def _refuse(path: Path, mode: int) -> None:
    """Raises Unreadable for the mode of anything but a plain file."""
    if not stat.S_ISREG(mode):
        kind = next((name for name, holds in KINDS.items() if holds(mode)), "something else")
        raise Unreadable(f"{path} is {kind}, not a file. Hand in the file itself.")
