"""Read what a process prints while it runs; keep the beginning in memory and drop the rest.

Output of any size never reaches a disk.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import threading

CHUNK = 1 << 16
MARK = 32  # bytes; fewer than PIPE_BUF in pipe(7), so a mark is written as a whole


class Drain:
    """A pipe that a thread reads all the time, so that its writers never wait for long.

    most: bytes that are kept until the next call of `taken`. writing: the descriptor to print to.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept, self._count = bytearray(), 0  # kept bytes; count of all since the last call
        self._mark = secrets.token_bytes(MARK)
        self._marks, self._all_read = 0, threading.Event()  # marks that are still in the pipe
        self._is_over = False
        self._changing = threading.Lock()
        reading, self.writing = os.pipe()
        threading.Thread(target=self._empty, args=[reading], daemon=True).start()

    def taken(self, seconds: float) -> tuple[bytes, int]:
        """Return the bytes kept since the last call, and the number of bytes dropped.

        seconds: the longest time to wait, for processes that print without end.
        """
        with self._changing:
            self._marks += 1
            self._all_read.clear()
        # The mark comes after all previous output. A process that floods the pipe may delay it.
        threading.Thread(target=self._write, args=[os.dup(self.writing)], daemon=True).start()
        self._all_read.wait(seconds)
        with self._changing:
            kept, dropped = bytes(self._kept), self._count - len(self._kept)
            self._kept, self._count = bytearray(), 0
            return kept, dropped

    def close(self) -> None:
        """Stop reading; later writes fail with EPIPE."""
        self._is_over = True
        os.close(self.writing)

    def _write(self, writing: int) -> None:
        """Write the mark and close the descriptor."""
        with contextlib.suppress(OSError), open(writing, "wb", buffering=0) as pipe:
            pipe.write(self._mark)  # fails after close()

    def _empty(self, reading: int) -> None:
        """Read until all writers have closed the pipe, or until close()."""
        held = b""  # bytes that may be the beginning of a mark
        try:
            while not self._is_over and (data := os.read(reading, CHUNK)):
                held = self._add(held + data)
        finally:
            os.close(reading)

    def _add(self, data: bytes) -> bytes:
        """Keep and count data without the marks in it. Returns a possible beginning of a mark."""
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
    """Return the length of the longest end of a text that is a beginning of the mark."""
    return next((n for n in range(len(mark), 0, -1) if text.endswith(mark[:n])), 0)
