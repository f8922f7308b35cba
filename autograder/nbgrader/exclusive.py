"""One command at a time in a course: two would take away what the other has laid out."""

from __future__ import annotations

import contextlib
import fcntl
import getpass
import os
import socket
import time
from collections.abc import Iterator
from pathlib import Path

from autograder.nbgrader.places import OWN
from autograder.nbgrader.trouble import CannotRun

LOCK = "lock"  # in the kit's folder of a course
MOST_HOLDER = 300  # bytes


@contextlib.contextmanager
def exclusive(course: Path, command: str) -> Iterator[None]:
    """Keep all other commands out of a course. Raises CannotRun, which says who is in it.

    The system ends the lock with the process, however that ends. command: as it is told to others.
    """
    place = course / OWN / LOCK
    place.parent.mkdir(parents=True, exist_ok=True)
    with open(place, "ab+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            holder = file.read(MOST_HOLDER).decode(errors="replace") or "another command"
            raise CannotRun(
                f"The course is in use by {holder}. Call this again when that has ended."
            ) from None
        file.truncate(0)
        file.write(_holder(command).encode()[:MOST_HOLDER])
        file.flush()
        try:
            yield
        finally:
            with contextlib.suppress(OSError):  # the disk may be full
                file.truncate(0)


def _holder(command: str) -> str:
    try:
        user = getpass.getuser()
    except (KeyError, OSError):  # a container's user may have no name
        user = f"user {os.getuid()}"
    since = time.strftime("%H:%M:%S")
    return f"{command} (process {os.getpid()} of {user} on {socket.gethostname()}, since {since})"
