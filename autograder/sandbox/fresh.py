"""Children started afresh, where there is no fork (Windows, macOS): slower, same results."""

from __future__ import annotations

import contextlib
import queue
import subprocess
import tempfile
import threading
from pathlib import Path
from typing import IO

from autograder.child.protocol import PREFIX, Garbled, size
from autograder.sandbox.child import Child, Limits, Sandbox, departed, failed, start

START_SECONDS = 120.0  # to import torch from a slow disk, once per child


class FreshSandbox(Sandbox):
    """Starts a process for each child, and one ahead, so that it is ready when needed."""

    def __init__(self, limits: Limits) -> None:
        super().__init__(limits)
        self._spare = _FreshChild(limits)

    def child(self) -> Child:
        child, self._spare = self._spare, _FreshChild(self.limits)
        return child

    def close(self) -> None:
        self._spare.end()


class _FreshChild(Child):
    def __init__(self, limits: Limits) -> None:
        super().__init__(limits)
        self._ready = False
        self._folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self._files = {name: Path(self._folder.name, name) for name in ("stdout", "stderr")}
        self._seen = dict.fromkeys(self._files, 0)
        for path in self._files.values():
            path.touch()
        self._errors = tempfile.TemporaryFile()
        self._process = start(
            "once(*a)",
            *map(str, self._files.values()),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
        )
        self._replies: queue.Queue[bytes | Garbled | None] = queue.Queue()
        assert self._process.stdout is not None
        reader = threading.Thread(
            target=_read, args=(self._process.stdout, self._replies, limits.reply), daemon=True
        )
        reader.start()

    def _exchange(self, request: bytes) -> bytes:
        if not self._ready:
            self._wait_until_ready()
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):  # it is gone, as the end of its replies will tell
            self._process.stdin.write(request)
            self._process.stdin.flush()
        try:
            reply = self._replies.get(timeout=self.limits.seconds + self.limits.grace)
        except queue.Empty:
            self.end()
            raise self._too_slow() from None
        self._take_printed()
        if isinstance(reply, Garbled):
            raise reply
        if reply is None:
            exit_code = self._process.wait(self.limits.grace)
            self.end()
            raise departed(exit_code)
        return reply

    def _wait_until_ready(self) -> None:
        """The first message is the child's own, before it has seen any of the student's code."""
        try:
            self._ready = isinstance(self._replies.get(timeout=START_SECONDS), bytes)
        except queue.Empty:
            self._ready = False
        if not self._ready:
            self.end()
            raise failed("it did not start", self._errors)

    def _take_printed(self) -> None:
        for name, path in self._files.items():
            with path.open("rb") as file:
                file.seek(self._seen[name])
                data = file.read(self.limits.printed)
                self._seen[name] = file.seek(0, 2)
            self.printed.add(name, data, self.limits.printed)

    def end(self) -> None:
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            with contextlib.suppress(OSError):  # what was still to be written is of no interest
                pipe.close()
        self._folder.cleanup()


def _read(stream: IO[bytes], replies: queue.Queue[bytes | Garbled | None], limit: int) -> None:
    """Put each message into the queue; at the end None, or what is wrong with it."""
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
    except (OSError, ValueError):  # the pipe was closed by end()
        replies.put(None)
