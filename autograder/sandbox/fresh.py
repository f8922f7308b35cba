"""Start each child as a new process, for Windows and macOS: slower than a fork, same results."""

from __future__ import annotations

import contextlib
import io
import math
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import IO, Any

from autograder.runtime.protocol import PREFIX, Garbled, size
from autograder.sandbox.child import Child, Limits, Lost, Sandbox, failed, start
from autograder.sandbox.clock import Clock
from autograder.sandbox.drain import Drain

START_SECONDS = 120.0  # to import torch from a slow disk, once per child
# Environment variables that Python needs on any system; no others are passed on.
KEPT = ("PATH", "SYSTEMROOT", "TEMP", "TMP", "TMPDIR")
NO_DEVICES = {"CUDA_VISIBLE_DEVICES": ""}  # submissions are graded on the CPU

Received = bytes | Garbled | None  # a message, an invalid one, or the end of messages


class FreshSandbox(Sandbox):
    """A sandbox that starts a process per child, one in advance so that it is ready when needed."""

    def __init__(self, limits: Limits) -> None:
        super().__init__(limits)
        self._children = [_FreshChild(limits)]

    def child(self) -> Child:
        spare = self._children[-1]
        self._children = [child for child in self._children if child.lives]
        self._children.append(_FreshChild(self.limits))
        return spare

    def close(self) -> None:
        for child in self._children:
            child.end()


class _FreshChild(Child):
    def __init__(self, limits: Limits) -> None:
        super().__init__(limits)
        self._ready = False
        self._end: Lost | None = None
        self._streams = {name: Drain(limits.printed) for name in ("stdout", "stderr")}
        replies, theirs = os.pipe()
        number, inherited = _inherited(theirs)
        self._process = start(
            "alone",
            "run_alone(int(a[0]), int(a[1]))",
            str(number),
            str(limits.memory),
            stdin=subprocess.PIPE,
            stdout=self._streams["stdout"].writing,
            stderr=self._streams["stderr"].writing,
            **inherited,
            env={name: os.environ[name] for name in KEPT if name in os.environ} | NO_DEVICES,
        )
        os.close(theirs)
        self.process = self._process.pid
        assert self._process.stdin
        self._requests: queue.Queue[bytes | None] = queue.Queue()
        self._replies: queue.Queue[Received] = queue.Queue()
        _in_background(_write, self._requests, self._process.stdin)
        _in_background(_read, os.fdopen(replies, "rb"), self._replies, limits.reply)

    @property
    def lives(self) -> bool:
        return self._end is None

    def clock(self, seconds: float | None = None, most: float = math.inf) -> Clock:
        if not (self._ready or self._end):
            self._wait_until_ready()  # the start does not count as the submission's time
        return super().clock(seconds, most)

    def _exchange(self, request: bytes) -> bytes:
        if self._end:
            raise self._end
        self._requests.put(request)
        reply = self._reply()
        if reply is None:
            raise self._lost(self._gone())
        self._take_printed()
        if isinstance(reply, Garbled):
            raise reply
        return reply

    def _reply(self) -> Received:
        """Wait for a reply until the time is over. Raises Lost."""
        while seconds := self._clock.remaining():
            with contextlib.suppress(queue.Empty):
                return self._replies.get(timeout=seconds)
        raise self._lost(self._too_slow())

    def end(self) -> None:
        self._lost(Lost("left", "it was ended"))

    def _wait_until_ready(self) -> None:
        """Wait for the first message, which the child sends before it reads any student code.

        Raises SandboxFailed.
        """
        try:
            self._ready = isinstance(self._replies.get(timeout=START_SECONDS), bytes)
        except queue.Empty:
            self._ready = False
        printed = {name: drain.taken(self.limits.grace) for name, drain in self._streams.items()}
        if not self._ready:
            failure = failed("it did not start", io.BytesIO(printed["stderr"][0]))
            self.end()
            raise failure

    def _gone(self) -> Lost:
        """Describe why there are no more replies; the child may only have closed the pipe."""
        try:
            return self._exited(self._process.wait(self.limits.grace))
        except subprocess.TimeoutExpired:
            return Lost("left", "the code closed the pipe through which it was to answer")

    def _lost(self, reason: Lost) -> Lost:
        """Read the output and kill the process and all that it started, at the first call.

        Returns the reason of the first call.
        """
        if self._end is None:
            self._end = reason
            self._take_printed()
            _kill_started(self._process.pid)
            self._process.kill()
            self._process.wait()
            self._requests.put(None)
            for stream in self._streams.values():
                stream.close()
        return self._end

    def _take_printed(self) -> None:
        for name, stream in self._streams.items():
            data, dropped = stream.taken(self.limits.grace)
            self.printed.add(name, data, self.limits.printed)
            self.printed.dropped += dropped


def _inherited(descriptor: int) -> tuple[int, dict[str, Any]]:
    """Return a descriptor's number in a new process, and the Popen options that pass it on."""
    if sys.platform == "win32":
        import msvcrt

        handle = msvcrt.get_osfhandle(descriptor)
        os.set_handle_inheritable(handle, True)
        known = subprocess.STARTUPINFO(lpAttributeList={"handle_list": [handle]})
        return handle, {"startupinfo": known}
    return descriptor, {"pass_fds": [descriptor]}


def _kill_started(child: int) -> None:
    """Kill a child, which leads a process group, with all that it has started.

    On Windows, where there are no groups, what started it must still live to be found.
    """
    if sys.platform == "win32":
        with contextlib.suppress(OSError):  # a Windows without this command
            command = ["taskkill", "/F", "/T", "/PID", str(child)]
            subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True)
    else:
        # macOS refuses where the child has ended and nothing that it started is left.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(child, signal.SIGKILL)


def _in_background(work: Callable[..., None], *arguments: object) -> None:
    threading.Thread(target=work, args=arguments, daemon=True).start()


def _write(requests: queue.Queue[bytes | None], stream: IO[bytes]) -> None:
    """Send each request, even if it is read slowly, until the first None."""
    with contextlib.suppress(OSError), stream:  # if the child ended, its replies end too
        while (request := requests.get()) is not None:
            stream.write(request)
            stream.flush()


def _read(stream: IO[bytes], replies: queue.Queue[Received], limit: int) -> None:
    """Put each message into the queue, and at the end None or the Garbled error."""
    with stream:
        try:
            while len(prefix := stream.read(PREFIX.size)) == PREFIX.size:
                length = size(prefix, limit)
                body = stream.read(length)
                if len(body) < length:
                    break
                replies.put(prefix + body)
            replies.put(None)
        except Garbled as problem:
            replies.put(problem)
