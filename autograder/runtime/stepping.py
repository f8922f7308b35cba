"""Run the statements of a slow notebook one by one, each in its own time.

A statement that takes too long is stopped, and the next one runs. What the stopped one was to make
is not there: neither what it has made of it, nor what stood there before.
"""

from __future__ import annotations

import ast
import time
from collections.abc import Callable, Iterable, Sequence

from autograder.runtime.compiling import parsed
from autograder.runtime.needed import Effects
from autograder.runtime.problems import TimeUp
from autograder.runtime.protocol import IN_ALL
from autograder.runtime.statements import first_line

MOST = 2  # statements that are stopped; the notebook ends at the next one
ELAPSED = 4  # factor for the elapsed time of all: statements sleep, and a machine may be busy


class Stepping:
    """The time for the statements of a notebook, and those that were stopped.

    texts: of its cells, by their labels. restart: starts the time for one statement. seconds: of
    CPU time for one; all of them have IN_ALL times as much. known: statements that take too long,
    by the labels of their cells and their numbers in these.
    """

    def __init__(
        self,
        texts: Sequence[tuple[str, str]],
        restart: Callable[[], None],
        seconds: float,
        known: Iterable[tuple[str, int]] = (),
    ) -> None:
        self.stopped: list[tuple[str, int]] = []
        self.has_ended = False  # before its last statement
        self._texts = texts
        self._restart = restart
        self._seconds = seconds
        self._known = {*known}
        self._end = time.process_time() + IN_ALL * seconds
        self._latest = time.monotonic() + ELAPSED * IN_ALL * seconds
        self._effects: Effects | None = None

    def begin(self, node: ast.stmt, label: str, number: int) -> None:
        """Start the time for a statement. Raises TimeUp in its line if it has none."""
        is_over = time.process_time() > self._end or time.monotonic() > self._latest
        if is_over or (label, number) in self._known:
            self.has_ended = is_over
            seconds = IN_ALL * self._seconds if is_over else self._seconds
            late = TimeUp(f"not finished after {seconds:g} s")
            code = "\n" * (node.lineno - 1) + "raise late"
            exec(compile(code, label, "exec"), {"late": late})
        self._restart()

    def stop(self, node: ast.stmt, label: str, number: int, late: TimeUp) -> set[str]:
        """Note that a statement was stopped. Returns the names that are not there after it."""
        self._restart()  # for what this does itself
        late.place = label, first_line(node)
        self.stopped.append((label, number))
        self.has_ended |= len(self.stopped) > MOST
        self._effects = self._effects or Effects(
            [one for _, text in self._texts for one in parsed(text).body]
        )
        return self._effects.made_by(node)
