"""The time that a question may take, measured where it is answered.

What counts is the CPU time of this process, so that a busy machine costs nobody anything. It
stands still while an installed module is imported, which may be torch's own doing: the first use
of activation checkpointing imports hundreds. The grader has a clock of its own, sandbox.clock.
"""

from __future__ import annotations

import contextlib
import importlib.machinery
import signal
import time
from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any

from autograder.runtime.protocol import IDLE, WALL
from autograder.runtime.source import TimeUp

LOADERS = (
    importlib.machinery.SourceFileLoader,
    importlib.machinery.SourcelessFileLoader,
    importlib.machinery.ExtensionFileLoader,
)
FEW = 10  # waits between two rings: one sleeps so, and who prints much waits often to be read
HAS_TIMERS = hasattr(signal, "setitimer")  # on Windows the grader's own clock must do


class Clock:
    """Raises TimeUp in the student's code when its time is over, to learn where it stood."""

    def __init__(self) -> None:
        self._seconds = 0.0
        self._cpu = 0.0  # used when the wall clock rang last
        self._waits = 0  # until then
        self._rings = 0

    def heed(self) -> None:
        """Handle the timers' signals here, whatever handled them before."""
        if HAS_TIMERS:
            signal.signal(signal.SIGPROF, lambda *_: self._up())
            signal.signal(signal.SIGALRM, lambda *_: self._ring())

    @contextlib.contextmanager
    def limit(self, seconds: float) -> Iterator[None]:
        """Limit what is done within to so many seconds of CPU time.

        It is over, too, after as many seconds in which it was idle, and after WALL times as many
        in any case.
        """
        if not HAS_TIMERS:
            yield
            return
        self._seconds, self._cpu, self._rings = seconds, time.process_time(), 0
        self._waits = _waits()
        signal.setitimer(signal.ITIMER_REAL, seconds, seconds)
        signal.setitimer(signal.ITIMER_PROF, seconds)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.setitimer(signal.ITIMER_REAL, 0)

    def _up(self) -> None:
        raise TimeUp(f"not finished after {self._seconds:g} s")

    def _ring(self) -> None:
        """End what was idle since the last ring, or has gone on for too long."""
        before, self._cpu = self._cpu, time.process_time()
        self._rings += 1
        waits, self._waits = self._waits, _waits()
        idle = self._cpu - before < IDLE * self._seconds and self._waits - waits < FEW
        if idle or self._rings >= WALL:
            self._up()


def _waits() -> int:
    """Return how often this process has waited for something other than a core."""
    import resource  # not on Windows

    return resource.getrusage(resource.RUSAGE_SELF).ru_nvcsw


def excuse_imports() -> None:
    """Let the time stand still while a module is imported that lies in a file.

    A submission's own modules do not: they come as text, and their time counts.
    """
    for loader in LOADERS if HAS_TIMERS else ():
        for step in ("create_module", "exec_module"):
            setattr(loader, step, _uncounted(getattr(loader, step)))


def _uncounted(work: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that does the same while the clock for CPU time stands still."""

    @wraps(work)
    def uncounted(*arguments: Any) -> Any:
        left, _ = signal.setitimer(signal.ITIMER_PROF, 0)
        try:
            return work(*arguments)
        finally:
            if left:  # else it stood still already, or nothing is limited
                signal.setitimer(signal.ITIMER_PROF, left)

    return uncounted
