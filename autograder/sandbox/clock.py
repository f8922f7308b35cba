"""Limit the time for a question, measured in the grader, where no child can stop the clock."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

from autograder.runtime.protocol import IDLE, WALL

IMPORTS = 2  # factor for the CPU time of a question, because the child's clock excludes imports
SHORTEST, LONGEST = 0.02, 1.0  # seconds between two looks at the child
LATE = 1.0  # seconds by which a look is so late that the grader itself must have been stopped


class Clock:
    """A clock that decides how long to wait for the answer to one question.

    It stands still while the grader itself does: a laptop slept, or a shell's Ctrl-Z stopped it.

    seconds: CPU time for the question, including the grader's time to read the child's output.
    grace: additional seconds in which the child can report a timeout itself. cpu: returns the total
    CPU seconds of the child; if it returns None, the clock limits the elapsed time instead. waited:
    returns the seconds for which child and grader have waited for a processor on a busy machine.
    most: seconds that the question may spend, of CPU time or sleep.
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
        self._look = seconds + grace  # interval of checks for an idle child
        self._most = IMPORTS * seconds + grace
        self._longest = WALL * seconds + grace
        self._spendable = most + grace
        self._began = self._looked = self._due = time.monotonic()
        self._worked = time.thread_time()  # of the grader, when it last said how long it would wait
        self._used_last = 0.0  # as it was read last
        self._child_last: float | None = None  # without the grader's own time
        self._used_before = self._used = self._read()  # at the start, and at the last look
        self._child_before = self._child_last
        self._is_over = False
        self._waited_before = self._waited_last = waited()

    @property
    def spent(self) -> float:
        """Return the seconds that the question has taken so far, of CPU time or sleep.

        Where both processes wait at once, the waits are counted twice. So it is the CPU time at
        least.
        """
        self._read()
        now = self._time()
        self._waited_last = max(self._waited_last, self._waited())
        elapsed = now - self._began
        return max(
            self._used_last - (self._used_before or 0.0),
            elapsed - min(elapsed, self._waited_last - self._waited_before),
        )

    @property
    def worked(self) -> float:
        """Return the seconds of CPU time that the child itself has taken so far."""
        self._read()
        return (self._child_last or 0.0) - (self._child_before or 0.0)

    def remaining(self) -> float:
        """Return the seconds to wait before calling this again; 0.0 if the time is over."""
        now = self._time()
        seconds = min(LONGEST, self._remaining(now))
        self._due, self._worked = now + seconds, time.thread_time()
        return seconds

    def _remaining(self, now: float) -> float:
        used = self._read()
        if used is None or self._used_before is None:
            return max(0.0, self._began + self._most - now)
        spendable = self._spendable - (now - self._began)
        if spendable <= 0:  # otherwise the waits for a processor do not matter
            spendable = self._spendable - self.spent
        remaining = min(
            self._used_before + self._most - used,
            self._began + self._longest - now,
            spendable,
        )
        if remaining <= 0 or self._was_idle(now, used):
            self._is_over = True
        next_look = self._looked + self._look - now
        return 0.0 if self._is_over else max(SHORTEST, min(remaining, next_look))

    def note_output(self) -> None:
        """Record that the child printed something, so it is not idle.

        It may only have waited for the grader to read its output.
        """
        self._looked, self._used = self._time(), self._read()

    def _time(self) -> float:
        """Return the time, and leave out of it what passed while the grader was stopped.

        Then it looks much later than it is due, without work of its own or a wait for a processor.
        """
        now = time.monotonic()
        late = now - self._due - (time.thread_time() - self._worked)
        if late > LATE:
            waited = max(self._waited_last, self._waited())
            late -= waited - self._waited_last
            self._waited_last = waited
        if late > LATE:
            self._began += late
            self._looked += late
            self._due += late
        return now

    def _read(self) -> float | None:
        used = self._cpu()
        if used is None:  # after its end
            return None
        self._child_last = used
        self._used_last = used + time.thread_time()
        return self._used_last

    def _was_idle(self, now: float, used: float) -> bool:
        """Return whether the child was idle since the last look, if the next look is due."""
        if now - self._looked < self._look or self._used is None:
            return False
        before, self._used, self._looked = self._used, used, now
        return used - before < IDLE * self._look
