"""Limit the CPU time that this process spends on one person's work, whatever is in it."""

from __future__ import annotations

import contextlib
import signal
import sys
import threading
from collections.abc import Iterator
from types import FrameType

AGAIN = 1.0  # seconds after which it is raised again, in case a library has swallowed it


class OutOfTime(BaseException):
    """A block has used up its CPU time. Like KeyboardInterrupt, it passes `except Exception`."""


@contextlib.contextmanager
def cpu_limit(seconds: float) -> Iterator[None]:
    """Raise OutOfTime in the block after so many seconds of this process's CPU time.

    A block within a limited block has no limit of its own. Nothing is limited in other threads than
    the main one, and on Windows, which has no such timers. Source: setitimer(2).
    """
    if sys.platform == "win32":
        yield
        return
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or signal.getitimer(signal.ITIMER_PROF)[0]:
        yield
        return
    rings = 0

    def ring(_number: int, _frame: FrameType | None) -> None:
        nonlocal rings
        rings += 1
        raise OutOfTime

    before = signal.signal(signal.SIGPROF, ring)
    signal.setitimer(signal.ITIMER_PROF, seconds, AGAIN)
    try:
        yield
    except Exception:
        if not rings:
            raise
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
    if rings:  # what was raised may have been caught, or made something else fail
        raise OutOfTime
