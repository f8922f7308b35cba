"""The code cells that were run in a session of IPython, as far as they still count."""

from __future__ import annotations

import ast
import re
import signal
import threading
import time
from dataclasses import dataclass, field
from functools import lru_cache
from types import FrameType
from typing import Any

from autograder.course.calls import CALLS
from autograder.notebook.stopped import (
    body,
    line_of,
    of_error,
    of_interrupt,
    ran_and_tried,
    script_in,
    unreadable_line,
    with_interrupt,
)
from autograder.runtime.recovery import without_broken
from autograder.runtime.statements import DEFINED, bound
from autograder.submissions.magics import CELL_MAGIC, of_cell
from autograder.submissions.pasted import as_code
from autograder.submissions.source_text import MAX_SOURCE

DEFINITIONS = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
TIMES = re.compile(r"\s*(?:%%\w+[^\n]*\s+)*%%timeit\b")  # begins a cell that binds no name
RERUNS = re.compile(r"^[ \t]*# %rerun\b", re.MULTILINE)  # magics, see `of_cell`
REMOVES = re.compile(r"^[ \t]*# %(?:reset|reset_selective|xdel)\b", re.MULTILINE)
ANY = "*"  # stands for names that the text does not tell, as after `from helpers import *`
MOST_SECONDS = 5.0  # that earlier runs may take again, of the 10 that one question may take
SLOW = 0.3  # seconds
Cells = list[tuple[str, str, str]]  # labels, texts and ids
Stopped = list[tuple[str, int, str]]  # labels, lines, and names of errors


@dataclass
class Run:
    """A cell that was run: which one, its number in the notebook, its text, and what of it ran.

    The texts are without indent and prompts, as IPython reads them. text: what is graded of
    `typed`. began: when, in seconds. left: the definitions that it did not reach although earlier
    runs have them, if it stopped at a line with an error.
    """

    cell: object
    number: int
    typed: str
    text: str
    ran: str
    began: float
    seconds: float = 0.0
    left: set[str] = field(default_factory=set)
    line: int = 0
    error: str = ""


class History:
    """Notes the cells of a session, which count in the order in which they were run.

    Of a cell that was run again, earlier runs count too, but for definitions that nothing has used
    before they were made again. Where the notebook does not tell which cell it is, two cells that
    define the same names count as the same.

    shell: IPython's shell, whose cells so far are taken from its history.
    """

    def __init__(self, shell: Any) -> None:
        self._runs: list[Run] = []
        self._current: Run | None = None  # also after it has ended
        self._handler: Any = None  # of interrupts, without this history
        self._shell = shell
        self._reruns = False  # whether the current cell runs earlier ones by a magic
        for number, text in enumerate(shell.history_manager.input_hist_raw[:-1]):
            self._add(_identity(text), number, text)
        shell.events.register("pre_run_cell", self.note)
        shell.events.register("post_run_cell", self.note_end)
        self._add(_identity(_current(shell)), max(0, self._next() - 1), _current(shell))

    def note(self, info: Any) -> None:
        """Note a cell that is about to run. info: IPython's ExecutionInfo."""
        if info.store_history and not info.silent:
            identity = getattr(info, "cell_id", None) or _identity(info.raw_cell)
            self._reruns = bool(RERUNS.search(of_cell(info.raw_cell)))
            self._add(identity, self._next(), info.raw_cell)
            self._begin_noting_interrupts()
        elif self._reruns and not info.silent:
            self._add(f"rerun {len(self._runs)}", self._runs[-1].number, info.raw_cell)

    def note_end(self, result: Any) -> None:
        """Note what of a cell has run. result: IPython's ExecutionResult.

        %%capture runs what is below it as a cell of its own, and hides its error.
        """
        info, run = getattr(result, "info", None), self._current
        if getattr(info, "store_history", False):
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
        elif run and is_below and not result.success:
            self._note_failed(run, result, text)

    def _note_removed(self, run: Run) -> None:
        """Note the names that a run has removed by a magic, as statements at its end."""
        names = {name for one in self._runs for name in _bound(one.ran)} - {ANY}
        gone = [f"globals().pop({name!r}, None)" for name in sorted(names - {*self._shell.user_ns})]
        run.text = run.ran = "\n".join([of_cell(run.text), *gone])

    def _note_failed(self, run: Run, result: Any, text: str) -> None:
        """Note what of a run the kernel ran. text: what raised an error, the end of the run's."""
        error = result.error_in_exec  # None if it could not be read
        if line := line_of(of_error(error), self._shell.user_ns, text):
            line += run.typed.rstrip("\n").count("\n") - text.rstrip("\n").count("\n")
        run.ran, tried = ran_and_tried(run.text, line)
        names = {*self._shell.user_ns, ANY}
        before = {name for one in self._runs[:-1] for name in _bound(one.ran)} & names
        defined = {*DEFINED.findall(of_cell(run.typed))} & before
        if error and not isinstance(error, Exception):
            run.text = run.ran
        elif (defined and not error) or _meant(run.text) - _bound(tried) <= before:
            run.text = tried
        else:
            return
        run.left = defined - {*DEFINED.findall(run.ran)}
        run.line = unreadable_line(run.typed) or line or 1
        run.error = type(error or result.error_before_exec).__name__

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
            run.text = run.ran = with_interrupt(run.text, line, script_in(frames, names))
            run.began = time.monotonic()
        self._handler(number, frame)  # what Ctrl-C does without this

    def cells(self) -> Cells:
        """Return the cells, labelled as the notebook numbers them: `In [7]`.

        The last run of each has its whole text, so that an error in it is told. Left out is what an
        interrupt kept from running, or an error, if earlier runs define the names in it. Of more
        code than a notebook may have, or than a verdict can wait for, the oldest runs of cells that
        were run again are left out, slow ones where it is time that is short.
        """
        found: list[tuple[bool, Run, str]] = []
        for i, run in enumerate(self._runs):
            again = [j for j, one in enumerate(self._runs) if j > i and one.cell == run.cell]
            if not again or self._matters(i, again[0]):
                found.append((bool(again), run, run.ran if again else run.text))
        size = sum(len(text) for _, _, text in found)
        seconds = sum(run.seconds for _, run, _ in found)
        cells = []
        for was_run_again, run, text in found:
            is_slow = run.seconds > SLOW and seconds > MOST_SECONDS
            if was_run_again and (size > MAX_SOURCE or is_slow):
                size, seconds = size - len(text), seconds - run.seconds
            else:
                cells.append((f"In [{run.number}]", text, str(run.cell)))
        return cells

    def stopped(self, exercise: str) -> Stopped:
        """Return the last runs of cells that stopped above a definition that an exercise uses.

        Their earlier definitions count. Left out are those that another cell has made again.
        """
        used = self._used({exercise})
        found = []
        for i, run in enumerate(self._runs):
            later = self._runs[i + 1 :]
            made = {name for one in later for name in _bound(one.ran)}
            if run.left & used - made and all(one.cell != run.cell for one in later):
                found.append((f"In [{run.number}]", run.line, run.error))
        return found

    def _next(self) -> int:
        """Return the number that a notebook shows at the cell that is stored next."""
        return len(self._shell.history_manager.input_hist_raw)

    def _matters(self, number: int, following: int) -> bool:
        """Return whether a run still counts although its cell was run again. Both are numbered.

        One that only defines names does not if the next run defines them again, and nothing that
        has run meanwhile or runs then can have used them.
        """
        run, later = self._runs[number], self._runs[following]
        own = _bound(run.ran)
        if not _only_defines(run.ran) or not own <= _surely_bound(later.ran):
            return True
        between = (one.text for one in self._runs[number + 1 : following])
        used = self._used({name for text in between for name in _mentioned(text)})
        return bool(own & (used | _read(later.text)) or ANY in used)

    def _used(self, names: set[str]) -> set[str]:
        """Return names with those that stand in the definitions of them, one through the other."""
        found: set[str] = set()
        while names - found:
            new = names - found
            found |= new
            texts = [run.text for run in self._runs if new & _bound(run.text)]
            names = {name for text in texts for name in _mentioned(text)}
        return found

    def _add(self, identity: object, number: int, text: str) -> None:
        self._current = None
        if text.strip() and not TIMES.match(text):
            code = as_code(text)
            self._current = Run(identity, number, code, code, code, time.monotonic())
            self._runs.append(self._current)


def _current(shell: Any) -> str:
    """Return the text of the cell that is running."""
    texts = shell.history_manager.input_hist_raw
    return str(texts[-1]) if texts else ""


def _is_main_thread() -> bool:
    """Return whether this thread can change what a signal does."""
    return threading.current_thread() is threading.main_thread()


def _identity(text: str) -> object:
    """Return what is the same for two versions of a cell: the names that it defines."""
    nodes = body(as_code(text))
    return tuple(node.name for node in nodes if isinstance(node, DEFINITIONS)) or text


@lru_cache(maxsize=10_000)
def _bound(text: str) -> frozenset[str]:
    """Return the names that a cell binds or deletes, with ANY if there may be more."""
    names = {name for statement in body(text) for name in bound(statement)}
    names |= {node.id for node in _names(text) if isinstance(node.ctx, ast.Del)}
    is_open = any(node.id in ("get_ipython", "exec") for node in _names(text))
    return frozenset(names | ({ANY} if is_open else set()))


def _surely_bound(text: str) -> set[str]:
    """Return the names that a cell binds or deletes whatever is true when it runs."""
    found: set[str] = set()
    for statement in body(text):
        match statement:
            case ast.Assign(targets=targets) | ast.Delete(targets=targets):
                nodes = [node for target in targets for node in ast.walk(target)]
                names = [node for node in nodes if isinstance(node, ast.Name)]
                found |= {node.id for node in names if not isinstance(node.ctx, ast.Load)}
            case ast.Import() | ast.ImportFrom() | ast.FunctionDef() | ast.ClassDef():
                found |= {*bound(statement)}
    return found


def _meant(text: str) -> set[str]:
    """Return the names that a cell would bind, also one that Python cannot read as it is."""
    code = of_cell(text)
    return {*DEFINED.findall(code), *_bound(without_broken(code))}


@lru_cache(maxsize=10_000)
def _mentioned(text: str) -> frozenset[str]:
    """Return the names that stand in a cell, and those that it binds."""
    return _bound(text) | {node.id for node in _names(text)}


def _read(text: str) -> set[str]:
    """Return the names that stand in a cell other than where it binds them."""
    return {node.id for node in _names(text) if isinstance(node.ctx, ast.Load)}


def _names(text: str) -> list[ast.Name]:
    nodes = (node for statement in body(text) for node in ast.walk(statement))
    return [node for node in nodes if isinstance(node, ast.Name)]


def _only_defines(text: str) -> bool:
    """Return whether a cell has definitions without decorators, calls of the grader, or nothing."""
    return all(
        isinstance(node, DEFINITIONS) and not node.decorator_list
        for node in body(CALLS.sub("", text))
    )
