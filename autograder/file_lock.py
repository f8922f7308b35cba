"""Lock an open file against other processes; the system frees it with the process."""

from __future__ import annotations

import sys

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl


def lock(descriptor: int) -> None:
    """Lock an open file until it is closed.

    Raises BlockingIOError or PermissionError if it is locked already, and another OSError on a disk
    without locks.
    """
    if sys.platform == "win32":
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
    else:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
