"""The time that a question may take, measured by the grader: no child can make it stand still."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

from autograder.runtime.protocol import IDLE, WALL

IMPORTS = 2  # times the CPU time of a question: in the child, what is imported does not count
SHORTEST = 0.02  # seconds between two looks


class Clock:
    """Tells how long to wait for the answer to one question.

    seconds: of CPU that the question may take. grace: seconds for the child to report by itself
    that they are over. cpu: reads the seconds of CPU that the child has used in its life, None
    where that cannot be known; there elapsed time has to do. What it costs the grader to take what
    the child prints counts too. waited: reads the seconds in which child and grader would have
    worked if others had not, on a busy machine. most: seconds that it may spend altogether.
    """

    def __init__(
        self,
        seconds: float,
        grace: float,
        cpu: Callable[[], float | None],
        waited: Callable[[], float] = lambda: 0.0,
        most: float = math.inf,
    ) -> None:
        self.seconds, self._cpu, self._waited = seconds, cpu, waited
        self._look = seconds + grace  # how often to look whether it is idle
        self._most = IMPORTS * seconds + grace
        self._longest = WALL * seconds + grace
        self._spendable = most + grace
        self._began = self._looked = time.monotonic()
        self._used_before = self._used = self._read()  # when it began, and at the last look
        self._is_over = False
        self._waited_before = self._waited_last = waited()

    @property
    def spent(self) -> float:
        """The seconds that the question has taken so far: of CPU or asleep."""
        self._waited_last = max(self._waited_last, self._waited())
        elapsed = time.monotonic() - self._began
        return elapsed - min(elapsed, self._waited_last - self._waited_before)

    def left(self) -> float:
        """Return the seconds to wait before asking again; 0.0 if the time is over."""
        now, used = time.monotonic(), self._read()
        if used is None or self._used_before is None:
            return max(0.0, self._began + self._most - now)
        spendable = self._spendable - (now - self._began)
        if spendable <= 0:  # only now does it matter how long it waited for a processor
            spendable = self._spendable - self.spent
        left = min(
            self._used_before + self._most - used,
            self._began + self._longest - now,
            spendable,
        )
        if left <= 0 or self._was_idle(now, used):
            self._is_over = True
        next_look = self._looked + self._look - now
        return 0.0 if self._is_over else max(SHORTEST, min(left, next_look))

    def heard(self) -> None:
        """Take note that something came from the child, which is not idle then: it may have waited
        for the grader to take what it prints."""
        self._looked, self._used = time.monotonic(), self._read()

    def _read(self) -> float | None:
        used = self._cpu()
        return None if used is None else used + time.thread_time()

    def _was_idle(self, now: float, used: float) -> bool:
        """Return whether it was idle since the last look, if it is time for another."""
        if now - self._looked < self._look or self._used is None:
            return False
        before, self._used, self._looked = self._used, used, now
        return used - before < IDLE * self._look
