"""The code cells that were run in a session of IPython, as far as they still count."""

from __future__ import annotations

import re
import signal
import sys
import threading
import time
from collections.abc import Collection, Mapping
from dataclasses import replace
from types import FrameType
from typing import Any

from autograder.course.calls import CALLS
from autograder.notebook import counting
from autograder.notebook.cell_names import ANY, bound_in
from autograder.notebook.counting import EARLIER, INTERRUPTED, Run
from autograder.notebook.stopped import (
    body,
    in_doubt,
    line_of,
    not_reached,
    of_error,
    of_interrupt,
    ran_and_tried,
    script_in,
    script_that_failed,
    unreadable_line,
    with_interrupt,
    without_script,
)
from autograder.notebook.tracebacks import line_in
from autograder.report.feedback import Stopped
from autograder.runtime.statements import DEFINITIONS
from autograder.submissions.cells import Cells
from autograder.submissions.magics import CELL_MAGIC, of_cell
from autograder.submissions.pasted import as_code

TIMES = re.compile(r"\s*(?:%%\w+[^\n]*\s+)*%%timeit\b")  # begins a cell that binds no name
HIDES = re.compile(r"\s*(?:%%\w+[^\n]*\s+)*%%capture\b")  # begins a cell that shows no error
RERUNS = re.compile(r"^[ \t]*# %rerun\b", re.MULTILINE)  # magics, see `of_cell`
REMOVES = re.compile(r"^[ \t]*# %(?:reset|reset_selective|xdel)\b", re.MULTILINE)


class History:
    """Notes the cells of a session, which count in the order in which they were run.

    Where the notebook does not tell which cell it is, two cells that define the same names count as
    the same.

    shell: IPython's shell, whose cells so far are taken from its history.
    """

    def __init__(self, shell: Any) -> None:
        self._runs: list[Run] = []
        self._current: Run | None = None  # also after it has ended
        self._handler: Any = None  # of interrupts, without this history
        self._error = _last_error()  # before the current cell
        self._shell = shell
        self._is_running = True  # a cell is, in which this is made
        self._reruns = False  # whether the current cell runs earlier ones by a magic
        errors = getattr(shell.history_manager, "exceptions", {})  # not in older versions
        for number, text in enumerate(shell.history_manager.input_hist_raw[:-1]):
            self._add(_identity(text), number, text)
            if self._current:
                self._note_earlier(self._current, errors.get(number))
        shell.events.register("pre_run_cell", self.note)
        shell.events.register("post_run_cell", self.note_end)
        self._add(_identity(_current(shell)), max(0, self._next() - 1), _current(shell))

    def note(self, info: Any) -> None:
        """Note a cell that is about to run. info: IPython's ExecutionInfo."""
        if info.store_history and not info.silent:
            identity = getattr(info, "cell_id", None) or _identity(info.raw_cell)
            self._reruns = bool(RERUNS.search(of_cell(info.raw_cell)))
            self._add(identity, self._next(), info.raw_cell)
            self._error, self._is_running = _last_error(), True
            self._begin_noting_interrupts()
        elif self._reruns and not info.silent:
            self._add(f"rerun {len(self._runs)}", self._runs[-1].number, info.raw_cell)

    def note_end(self, result: Any) -> None:
        """Note what of a cell has run. result: IPython's ExecutionResult.

        %%capture runs what is below it as a cell of its own, and hides its error.
        """
        info, run = getattr(result, "info", None), self._current
        if getattr(info, "store_history", False):
            self._is_running = False
            self._end_noting_interrupts()
        text = as_code(getattr(info, "raw_cell", None) or "")
        end = text.rstrip("\n")
        is_below = run and CELL_MAGIC.match(run.typed) and run.typed.rstrip("\n").endswith(end)
        if run and run.typed == text:
            if CALLS.sub("", text).strip():  # else the grader took them
                run.seconds = time.monotonic() - run.began
            if REMOVES.search(of_cell(text)):
                self._note_removed(run)
            elif not result.success:
                self._note_failed(run, result, text)
            elif _last_error() is not self._error:
                self._note_failed_script(run, _last_error())
        elif run and is_below and not result.success:
            self._note_failed(run, result, text)

    def _note_removed(self, run: Run) -> None:
        """Note the names that a run has removed by a magic, as statements at its end."""
        names = {name for one in self._runs for name in bound_in(one.ran)} - {ANY}
        gone = [f"globals().pop({name!r}, None)" for name in sorted(names - {*self._shell.user_ns})]
        run.text = run.ran = "\n".join([of_cell(run.text), *gone])

    def _note_failed(self, run: Run, result: Any, text: str) -> None:
        """Note what of a run the kernel ran. text: what raised an error, the end of the run's."""
        error = result.error_in_exec  # None if it could not be read
        if line := line_of(of_error(error), self._shell.user_ns, text):
            line += run.typed.rstrip("\n").count("\n") - text.rstrip("\n").count("\n")
        is_final = error is not None and not isinstance(error, Exception)
        _cut(run, line, type(error or result.error_before_exec).__name__, is_final)

    def _note_failed_script(self, run: Run, error: BaseException | None) -> None:
        """Note what ran of a script of %run before an error, as a cell above the one with %run."""
        file, ran = script_that_failed(of_error(error))
        text = without_script(run.text, file)
        if file and text != of_cell(run.text) and isinstance(error, Exception):
            run.text = run.ran = text
            self._runs.insert(-1, Run(file, run.number, ran, ran, ran, run.began))

    def _note_earlier(self, run: Run, error: Mapping[str, Any] | None) -> None:
        """Note what ran of a cell before this history began. error: IPython's note of it, if any.

        %%capture has hidden an error, and a traceback may not tell the line.
        """
        line = line_in(error["traceback"], run.typed) if error else None
        if error and line is not None:
            name = str(error["ename"])
            if is_interrupt := name == KeyboardInterrupt.__name__:
                _interrupt(run, line)
            _cut(run, line, name, is_interrupt)
        elif error or HIDES.match(run.typed):
            run.doubt, run.reason = run.text, EARLIER
        if REMOVES.search(of_cell(run.typed)):
            self._note_removed(run)

    def _begin_noting_interrupts(self) -> None:
        handler = signal.getsignal(signal.SIGINT)
        if _is_main_thread() and callable(handler) and handler != self._note_interrupt:
            self._handler = handler
            signal.signal(signal.SIGINT, self._note_interrupt)

    def _end_noting_interrupts(self) -> None:
        if _is_main_thread() and signal.getsignal(signal.SIGINT) == self._note_interrupt:
            signal.signal(signal.SIGINT, self._handler)

    def _note_interrupt(self, number: int, frame: FrameType | None) -> None:
        """Note where an interrupt has reached the current cell, which may catch it and go on.

        When its text is run again, the interrupt comes at once, so the time before does not count.
        """
        if run := self._current:
            frames, names = of_interrupt(frame), self._shell.user_ns
            line = line_of(frames, names, run.typed)
            _interrupt(run, line, script_in(frames, names))
            run.began = time.monotonic()
        self._handler(number, frame)  # what Ctrl-C does without this

    def cells(self, kits: Collection[str] = ()) -> Cells:
        """Return the cells that count, labelled as the notebook numbers them: `In [7]`.

        kits: the ids of the kit's own cells, which are among them although they are not graded.
        """
        found: dict[int, str] = {}
        runs = self._so_far()
        for is_kits in (False, True):
            there = [i for i, run in enumerate(runs) if (str(run.cell) in kits) == is_kits]
            texts = counting.counted([runs[i] for i in there]).texts
            found |= {there[i]: text for i, text in texts.items()}
        return [(runs[i].label, found[i], str(runs[i].cell)) for i in sorted(found)]

    def _so_far(self) -> list[Run]:
        """Return the runs, the one of the running cell without what it has not reached."""
        runs = [*self._runs]
        if self._is_running and runs and runs[-1] is self._current:
            run = runs[-1]
            frames = of_interrupt(sys._getframe())
            if line := line_of(frames, self._shell.user_ns, run.typed):
                _, reached = ran_and_tried(run.typed, line)
                runs[-1] = replace(run, text=reached, ran=reached)
        return runs

    def began(self) -> dict[str, float]:
        """Return when each cell was run last, by its label, in seconds since the epoch."""
        since = time.time() - time.monotonic()
        return {run.label: since + run.began for run in self._runs}

    @property
    def names(self) -> dict[str, object]:
        """The names of the notebook, with their values in the kernel."""
        names: dict[str, object] = self._shell.user_ns
        return names

    def stopped(self, exercise: str, kits: Collection[str] = ()) -> list[Stopped]:
        """Return the cells that stopped above a definition that an exercise uses.

        kits: the ids of the kit's own cells, which do not count.
        """
        return counting.stopped(self._own(kits), exercise)

    def left_out(self, exercise: str, kits: Collection[str] = ()) -> str:
        """Return a sentence about a run of what an exercise uses that does not count, or "".

        kits: the ids of the kit's own cells, of which none is told.
        """
        return counting.left_out(self._own(kits), exercise)

    def is_slow(self, kits: Collection[str] = ()) -> bool:
        """Return whether the cells that count ran so long that a verdict cannot wait for all.

        kits: the ids of the kit's own cells, which do not count.
        """
        return counting.is_slow(self._own(kits))

    def waits(self, waited: float, kits: Collection[str] = ()) -> str:
        """Return a sentence about the cell that has made a verdict take long, or "".

        waited: the seconds that it took. kits: the ids of the kit's own cells, which do not count.
        """
        return counting.waits(self._own(kits), waited)

    def in_doubt(self, exercise: str, kits: Collection[str] = ()) -> str:
        """Return a sentence about a run of what an exercise uses that may be other here, or "".

        kits: the ids of the kit's own cells, of which none is told.
        """
        return counting.in_doubt(self._own(kits), exercise)

    def _own(self, kits: Collection[str] = ()) -> list[Run]:
        return [run for run in self._so_far() if str(run.cell) not in kits]

    def _next(self) -> int:
        """Return the number that a notebook shows at the cell that is stored next."""
        return len(self._shell.history_manager.input_hist_raw)

    def _add(self, identity: object, number: int, text: str) -> None:
        self._current = None
        if text.strip() and not TIMES.match(text):
            code = as_code(text)
            self._current = Run(identity, number, code, code, code, time.monotonic())
            self._runs.append(self._current)


def _cut(run: Run, line: int, error: str, is_final: bool = False) -> None:
    """Note that a run stopped in a line, 0 if none of it has run: what is below does not count.

    is_final: the error is none that code handles, so it is not raised again to be told.
    """
    run.left = not_reached(run.typed, line)  # of which an interrupt has replaced a statement
    run.ran, tried = ran_and_tried(run.text, line)
    run.text = run.ran if is_final else tried
    run.line = unreadable_line(run.typed) or line or 1
    run.error = error


def _interrupt(run: Run, line: int, script: str = "") -> None:
    """Note that an interrupt reached a run in a line. script: what ran of one, see `script_in`."""
    run.text = run.ran = with_interrupt(run.text, line, script)
    run.doubt, run.reason = f"{run.doubt}\n{in_doubt(run.typed, line)}", INTERRUPTED


def _current(shell: Any) -> str:
    """Return the text of the cell that is running."""
    texts = shell.history_manager.input_hist_raw
    return str(texts[-1]) if texts else ""


def _last_error() -> BaseException | None:
    """Return the error that IPython has shown last."""
    return getattr(sys, "last_value", None)


def _is_main_thread() -> bool:
    """Return whether this thread can change what a signal does."""
    return threading.current_thread() is threading.main_thread()


def _identity(text: str) -> object:
    """Return what is the same for two versions of a cell: the names that it defines."""
    nodes = body(as_code(text))
    return tuple(node.name for node in nodes if isinstance(node, DEFINITIONS)) or text
