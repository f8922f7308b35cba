"""A lock on a course: two commands at a time would overwrite each other's staged folders."""

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
MOST_HOLDER = 300  # bytes of the text about the command that holds the lock


@contextlib.contextmanager
def exclusive(course: Path, command: str) -> Iterator[None]:
    """Lock a course against all other commands. Raises CannotRun, which names the holder.

    The system releases the lock with the process, however it ends. command: its name in that
    message.
    """
    path = course / OWN / LOCK
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "ab+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            holder = file.read(MOST_HOLDER).decode(errors="replace") or "another command"
            raise CannotRun(
                f"The course is in use by {holder}. Run this again when that has ended."
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
