"""Exchange messages with a forked child through its pipes, without blocking (Linux)."""

from __future__ import annotations

import contextlib
import os
import select
import selectors
import signal
from collections.abc import Callable
from pathlib import Path

from autograder.runtime.protocol import PREFIX, Garbled, size
from autograder.sandbox.child import Child, Limits, Lost, SandboxFailed

CHUNK = 1 << 16  # bytes
MOMENT = 1.0  # seconds from the closing of its pipes to the end of a process
PIPE = 1 << 20  # bytes, the largest capacity of a pipe, see pipe(7)


class ForkedChild(Child):
    """A child that this process did not start, reached through the pipes that it was given.

    handle: a descriptor of its process. descriptors: the ends of its pipes: requests, replies,
    stdout, stderr. reap: ends it, and returns its exit code and its CPU seconds, if known.
    """

    def __init__(
        self,
        limits: Limits,
        handle: int,
        descriptors: tuple[int, ...],
        reap: Callable[[], tuple[int, float | None]],
    ) -> None:
        super().__init__(limits)
        self.process = _process(handle)
        self._handle, self._is_paused = handle, False
        self._reap = reap
        self._requests, self._replies, stdout, stderr = descriptors
        self._streams = {stdout: "stdout", stderr: "stderr"}
        self._open = {handle, *descriptors}
        self._exit_code: int | None = None
        self._selector = selectors.DefaultSelector()
        for descriptor in descriptors:
            os.set_blocking(descriptor, False)
            if descriptor != self._requests:
                self._selector.register(descriptor, selectors.EVENT_READ)

    @property
    def lives(self) -> bool:
        """Return whether its process has not ended."""
        return self._exit_code is None and not select.select([self._handle], [], [], 0)[0]

    def pause(self) -> bool:
        if self._exit_code is None and not self._is_paused:
            self._is_paused = True
            self._signal(signal.SIGSTOP)
        return True

    def _signal(self, number: int) -> None:
        with contextlib.suppress(ProcessLookupError):  # if the child ended, its replies end too
            signal.pidfd_send_signal(self._handle, number)

    def _exchange(self, request: bytes) -> bytes | bytearray:
        if self._exit_code is not None:
            raise self._exited(self._exit_code)
        if self._is_paused:
            self._is_paused = False
            self._signal(signal.SIGCONT)
        unsent = self._send(memoryview(request))
        if unsent:
            self._selector.register(self._requests, selectors.EVENT_WRITE)
        reply, filled, wanted, printing = bytearray(PREFIX.size), 0, PREFIX.size, False
        while filled < wanted:
            seconds = self._clock.remaining()
            if not seconds:  # also reached while the child prints without end
                self.end()
                raise self._too_slow()
            ready = self._selector.select(seconds)
            printing = len(ready) > 1  # output printed before the reply is readable with it
            for key, _ in ready:
                if key.fd == self._requests:
                    unsent = self._send(unsent)
                    if not unsent:
                        self._selector.unregister(self._requests)
                elif key.fd == self._replies:
                    filled += self._take_reply(memoryview(reply)[filled:])
                    if filled == wanted == PREFIX.size:
                        wanted += size(reply, self.limits.reply)
                        reply += bytes(wanted - filled + 1)  # with space for one byte too many
                else:
                    self._take_printed(key.fd)
        if filled > wanted or unsent:
            raise Garbled("the message is longer than it says, or the request was not read")
        if printing:
            self._drain()
        del reply[wanted:]
        return reply

    def _send(self, unsent: memoryview) -> memoryview:
        try:
            while unsent:
                unsent = unsent[os.write(self._requests, unsent) :]
        except BlockingIOError:
            pass  # the pipe is full; the rest is sent after the child has read some of it
        except BrokenPipeError:
            return unsent[:0]  # the child has ended, which its reply pipe will show
        return unsent

    def _take_reply(self, buffer: memoryview) -> int:
        """Read the available part of a reply into the buffer and return its number of bytes."""
        count = os.readv(self._replies, [buffer])
        if not count:
            raise self._gone()
        return count

    def _take_printed(self, descriptor: int) -> bool:
        """Read what is available on stdout or stderr. Returns whether there was anything."""
        if descriptor not in self._streams:
            return False
        try:
            data = os.read(descriptor, CHUNK)
        except BlockingIOError:
            return False
        if data:
            self._clock.note_output()
            self.printed.add(self._streams[descriptor], data, self.limits.printed)
        else:
            self._selector.unregister(descriptor)
            del self._streams[descriptor]
        return bool(data)

    def _drain(self) -> None:
        """Read what is in the pipes now; bounded, because processes may print without end."""
        for stream in list(self._streams):
            for _ in range(PIPE // CHUNK):
                if not self._take_printed(stream):
                    break

    def _gone(self) -> Lost:
        """Describe why there are no more replies.

        Raises SandboxFailed if the warm process has ended too.
        """
        has_ended, _, _ = select.select([self._handle], [], [], MOMENT)
        self._drain()
        self.end()
        assert self._exit_code is not None
        if self.cpu is None:
            raise SandboxFailed("the process for students' code was killed from outside")
        if not has_ended:
            return Lost("left", "the code closed the connection to the grader")
        return self._exited(self._exit_code)

    def end(self) -> None:
        if self._exit_code is not None:
            return
        self._selector.close()
        for descriptor in self._open:
            os.close(descriptor)
        self._exit_code, self.cpu = self._reap()


def _process(handle: int) -> int:
    """Return a process's id in this namespace; it has another id in its own namespace."""
    known = Path(f"/proc/self/fdinfo/{handle}").read_text().split()
    return int(known[known.index("Pid:") + 1])
