"""End children so that the next ones cannot learn how (Linux)."""

from __future__ import annotations

import contextlib
import ctypes
import mmap
import os
import signal

from autograder.child.lock import libc
from autograder.runtime.protocol import USAGE

AFTER_STATUS = USAGE.size - 18 * ctypes.sizeof(ctypes.c_long)  # where struct rusage begins


class Reaper:
    """Ends children of this process and says how they ended.

    A child inherits all memory of this process. What it found there about the child before it, such
    as an exit code, would be a message from that one. The kernel therefore writes how a child ended
    into memory that no child inherits, and from there it is sent, see MADV_DONTFORK in madvise(2).
    """

    def __init__(self) -> None:
        self._memory = mmap.mmap(-1, mmap.PAGESIZE)
        self._memory.madvise(mmap.MADV_DONTFORK)
        start = ctypes.addressof(ctypes.c_char.from_buffer(self._memory))
        self._status, self._usage = ctypes.c_void_p(start), ctypes.c_void_p(start + AFTER_STATUS)

    def end(self, child: int) -> memoryview:
        """Kill a child and wait for its end. Returns USAGE, in memory that the next call changes.

        Raises OSError if there is no such child.
        """
        for kill in (os.kill, os.killpg):  # the child may have left its own group
            with contextlib.suppress(ProcessLookupError):
                kill(child, signal.SIGKILL)
        if libc.wait4(child, self._status, 0, self._usage) != child:
            raise OSError(ctypes.get_errno(), "no child of this number can be waited for")
        return memoryview(self._memory)[: USAGE.size]
