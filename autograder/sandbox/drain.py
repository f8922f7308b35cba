"""What a process prints, taken as it comes: the first of it is kept in memory, the rest is dropped.

None of it reaches a disk, on any system, however much there is.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import threading

CHUNK = 1 << 16
MARK = 32  # bytes; far fewer than a pipe takes at once, see PIPE_BUF in pipe(7)


class Drain:
    """A pipe that is emptied all the time, so that whoever writes into it never waits for long.

    most: bytes that are kept until they are taken. writing: the descriptor to print into.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept, self._count = bytearray(), 0  # the first bytes since they were taken; all
        self._mark = secrets.token_bytes(MARK)
        self._marks, self._all_read = 0, threading.Event()  # that are still in the pipe
        self._is_over = False
        self._changing = threading.Lock()
        reading, self.writing = os.pipe()
        threading.Thread(target=self._empty, args=[reading], daemon=True).start()

    def taken(self, seconds: float) -> tuple[bytes, int]:
        """Take what was printed up to now: what was kept, and how many bytes were dropped.

        seconds: to wait for it at most, where others print all the time.
        """
        with self._changing:
            self._marks += 1
            self._all_read.clear()
        # Behind all that was printed before. Whoever floods the pipe may make that wait.
        threading.Thread(target=self._write, args=[os.dup(self.writing)], daemon=True).start()
        self._all_read.wait(seconds)
        with self._changing:
            kept, dropped = bytes(self._kept), self._count - len(self._kept)
            self._kept, self._count = bytearray(), 0
            return kept, dropped

    def close(self) -> None:
        """Take nothing more: whoever still prints is told that nobody reads."""
        self._is_over = True
        os.close(self.writing)

    def _write(self, writing: int) -> None:
        """Write the mark; the descriptor is this thread's own."""
        with contextlib.suppress(OSError), open(writing, "wb", buffering=0) as pipe:
            pipe.write(self._mark)  # fails where nobody reads any more

    def _empty(self, reading: int) -> None:
        """Read until nobody can write any more, or nobody wants to know."""
        held = b""  # bytes with which a mark may begin
        try:
            while not self._is_over and (data := os.read(reading, CHUNK)):
                held = self._add(held + data)
        finally:
            os.close(reading)

    def _add(self, data: bytes) -> bytes:
        """Keep and count what was read, but for marks. Returns what may be the start of one."""
        with self._changing:
            *before, last = data.split(self._mark)
            self._marks -= len(before)
            held = _begins(last, self._mark)
            for text in (*before, last[: len(last) - held]):
                self._kept += text[: max(0, self._most - len(self._kept))]
                self._count += len(text)
            if before and not self._marks:
                self._all_read.set()
            return last[len(last) - held :]


def _begins(text: bytes, mark: bytes) -> int:
    """Return how many of the last bytes of a text a mark begins with."""
    return next((n for n in range(len(mark), 0, -1) if text.endswith(mark[:n])), 0)
