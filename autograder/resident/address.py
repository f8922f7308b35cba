"""Where the resident grader of a kit is reached, by its own user only."""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from autograder import file_lock
from autograder.course import place
from autograder.errors import Signal

LONGEST = 103  # bytes in the path of a socket, on Linux a few more


class NoAddress(Signal, OSError):
    """This machine has no folder that only this user can reach."""


@dataclass(frozen=True)
class Address:
    """The files of one kit's resident grader, in a folder of this user's alone.

    socket: for connections, on Windows a pipe. key: a file with the bytes that both sides must
    know. lock: locked by the resident grader as long as it lives. log: what it prints.
    """

    socket: str
    key: Path
    lock: Path
    log: Path

    @property
    def family(self) -> str:
        return "AF_PIPE" if sys.platform == "win32" else "AF_UNIX"

    def take(self) -> int | None:
        """Lock the address for this process. Returns a descriptor, None if another one has it."""
        descriptor = os.open(self.lock, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            file_lock.lock(descriptor)
        except OSError:
            os.close(descriptor)
            return None
        if self.family == "AF_UNIX":
            with contextlib.suppress(FileNotFoundError):
                os.unlink(self.socket)  # of one that was killed
        return descriptor


def address() -> Address:
    """Return the address of the resident grader for this process's course and Python.

    Raises OSError, NoAddress among them.
    """
    own = _own_folder()
    name = _digest(sys.prefix, sys.version, str(place.ENGINE), str(place.folder().resolve()))
    if sys.platform == "win32":
        socket = rf"\\.\pipe\attention-grader-{_digest(name, str(own))}"  # a pipe is in no folder
    else:
        socket = str(own / name)
        if len(os.fsencode(socket)) > LONGEST:
            raise NoAddress(f"{socket} is too long for the path of a socket")
    return Address(socket, *(own / f"{name}.{ending}" for ending in ("key", "lock", "log")))


def _digest(*parts: str) -> str:
    digest = hashlib.blake2b(digest_size=8)
    for part in parts:
        digest.update(part.encode(errors="surrogateescape") + b"\0")
    return digest.hexdigest()


def _own_folder() -> Path:
    """Return a folder that nobody but this user can enter, made if it does not exist."""
    if sys.platform == "win32":
        top = Path(os.environ.get("LOCALAPPDATA", tempfile.gettempdir()))
        own = top / "attention-grader"
        own.mkdir(exist_ok=True)
        return own
    named = os.environ.get("XDG_RUNTIME_DIR", "")
    top = named if os.path.isabs(named) else tempfile.gettempdir()  # as its specification says
    own = Path(top) / f"attention-grader-{os.getuid()}"
    own.mkdir(0o700, exist_ok=True)
    found = own.lstat()
    is_private = stat.S_ISDIR(found.st_mode) and not stat.S_IMODE(found.st_mode) & 0o077
    if not is_private or found.st_uid != os.getuid():
        raise NoAddress(f"{own} is not a folder of this user alone")
    return own
