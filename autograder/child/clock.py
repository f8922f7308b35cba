"""Limit the time for a question, measured in the child that answers it.

The limit is on the CPU time of this process, so a busy machine costs no points. The clock stops
while an installed module is imported, because torch may import modules by itself: the first use of
activation checkpointing imports hundreds. The grader has its own clock, sandbox.clock.
"""

from __future__ import annotations

import contextlib
import importlib.machinery
import signal
import sys
import time
from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any

from autograder.runtime.problems import TimeUp
from autograder.runtime.protocol import IDLE, WALL

if sys.platform != "win32":
    import resource

LOADERS = (
    importlib.machinery.SourceFileLoader,
    importlib.machinery.SourcelessFileLoader,
    importlib.machinery.ExtensionFileLoader,
)
FEW = 10  # voluntary context switches per interval while asleep; code that prints much has more
LATE = 1.0  # seconds by which a ring is so late that this process must have been stopped


class Clock:
    """Raise TimeUp in the student's code when its time is over, to learn which line is running."""

    def __init__(self) -> None:
        self._seconds = 0.0
        self._cpu = 0.0  # seconds used when the wall clock rang last
        self._waits = 0  # waits counted at that time
        self._rings = 0
        self._due = 0.0  # when the wall clock rings next

    def install(self) -> None:
        """Install the signal handlers of the timers, replacing any others.

        Windows has no such timers: there the grader's own clock must do.
        """
        if sys.platform != "win32":
            signal.signal(signal.SIGPROF, lambda *_: self._up())
            signal.signal(signal.SIGALRM, lambda *_: self._ring())

    @contextlib.contextmanager
    def limit(self, seconds: float) -> Iterator[None]:
        """Limit the CPU time of the body of a `with` statement.

        The time is also over after `seconds` of idling, and in any case after WALL * `seconds`.
        """
        if sys.platform == "win32":
            yield
            return
        self._seconds = seconds
        self.restart()
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.setitimer(signal.ITIMER_REAL, 0)

    def restart(self) -> None:
        """Give what runs next all of the time again."""
        if sys.platform != "win32":
            seconds = self._seconds
            self._cpu, self._rings = time.process_time(), 0
            self._waits, self._due = _waits(), time.monotonic() + seconds
            signal.setitimer(signal.ITIMER_REAL, seconds, seconds)
            signal.setitimer(signal.ITIMER_PROF, seconds)

    def _up(self) -> None:
        raise TimeUp(f"not finished after {self._seconds:g} s")

    def _ring(self) -> None:
        """Raise TimeUp if the code was idle since the last ring, or at the last ring.

        A late ring does not count: a shell's Ctrl-Z stopped this process and the grader.
        """
        now = time.monotonic()
        late, self._due = now - self._due, now + self._seconds
        if late > LATE:
            return
        before, self._cpu = self._cpu, time.process_time()
        self._rings += 1
        waits, self._waits = self._waits, _waits()
        idle = self._cpu - before < IDLE * self._seconds and self._waits - waits < FEW
        if idle or self._rings >= WALL:
            self._up()


def _waits() -> int:
    """Return the number of times this process has waited for something other than a core."""
    if sys.platform != "win32":
        return resource.getrusage(resource.RUSAGE_SELF).ru_nvcsw
    return 0


def exclude_imports() -> None:
    """Stop the clock while a module is imported from a file.

    A submission's own modules come as text, so their import counts.
    """
    for loader in LOADERS:
        for step in ("create_module", "exec_module"):
            setattr(loader, step, _uncounted(getattr(loader, step)))


def _uncounted(work: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that does the same while the clock for CPU time is stopped."""

    @wraps(work)
    def uncounted(*arguments: Any) -> Any:
        if sys.platform == "win32":
            return work(*arguments)
        left, _ = signal.setitimer(signal.ITIMER_PROF, 0)
        try:
            return work(*arguments)
        finally:
            if left:  # otherwise it was stopped already, or there is no limit
                signal.setitimer(signal.ITIMER_PROF, left)

    return uncounted
