"""The code cells that were run in a session of IPython, as far as they still count."""

from __future__ import annotations

import ast
import itertools
import re
import time
import traceback
from dataclasses import dataclass
from functools import lru_cache
from types import FrameType
from typing import Any

from autograder.course.calls import CALLS
from autograder.runtime.recovery import without_broken
from autograder.runtime.statements import DEFINED, bound, first_line
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


@dataclass
class Run:
    """A cell that was run: which one, its number in the notebook, its text, and what of it ran.

    The texts are without indent and prompts, as IPython reads them. began: when, in seconds.
    """

    cell: object
    number: int
    text: str
    ran: str
    began: float
    seconds: float = 0.0


class History:
    """Notes the cells of a session, which count in the order in which they were run.

    Of a cell that was run again, earlier runs count too, but for definitions that nothing has used
    before they were made again. Where the notebook does not tell which cell it is, two cells that
    define the same names count as the same.

    shell: IPython's shell, whose cells so far are taken from its history.
    """

    def __init__(self, shell: Any) -> None:
        self._runs: list[Run] = []
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
        elif self._reruns and not info.silent:
            self._add(f"rerun {len(self._runs)}", self._runs[-1].number, info.raw_cell)

    def note_end(self, result: Any) -> None:
        """Note what of a cell has run. result: IPython's ExecutionResult."""
        text = as_code(getattr(getattr(result, "info", None), "raw_cell", None) or "")
        if self._runs and self._runs[-1].text == text:
            self._runs[-1].seconds = time.monotonic() - self._runs[-1].began
            if REMOVES.search(of_cell(text)):
                self._note_removed(self._runs[-1])
            elif not result.success:
                self._note_failed(self._runs[-1], result.error_in_exec)

    def _note_removed(self, run: Run) -> None:
        """Note the names that a run has removed by a magic, as statements at its end."""
        names = {name for one in self._runs for name in _bound(one.ran)} - {ANY}
        gone = [f"globals().pop({name!r}, None)" for name in sorted(names - {*self._shell.user_ns})]
        run.text = run.ran = "\n".join([of_cell(run.text), *gone])

    def _note_failed(self, run: Run, error: BaseException | None) -> None:
        """Note what of a run the kernel ran. error: None if it could not be read."""
        line = _failing_line(error, self._shell.user_ns, run.text)
        run.ran, tried = _tried(run.text, line)
        before = {name for one in self._runs[:-1] for name in _bound(one.ran)}
        if error and not isinstance(error, Exception):
            run.text = run.ran
        elif _meant(run.text) - _bound(tried) <= before:
            run.text = tried

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
        if not _only_defines(run.ran) or not own <= _bound(later.ran):
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
        if text.strip() and not TIMES.match(text):
            code = as_code(text)
            self._runs.append(Run(identity, number, code, code, time.monotonic()))


def _current(shell: Any) -> str:
    """Return the text of the cell that is running."""
    texts = shell.history_manager.input_hist_raw
    return str(texts[-1]) if texts else ""


def _failing_line(error: BaseException | None, names: dict[str, Any], text: str) -> int:
    """Return the line of a cell that raised an error; 1 if none of it has run.

    names: those of the notebook, by which the frames of the cell are known: one for each magic at
    its top, such as %%time, and one for what is below them.
    """
    above = [*itertools.takewhile(_is_above, text.split("\n"))]  # not counted in the last frame
    magics = sum(bool(line.strip()) for line in above)
    frames = traceback.walk_tb(error.__traceback__ if error else None)
    own = [line for frame, line in frames if frame.f_globals is names and _is_cell(frame)]
    return len(above) + own[magics] if len(own) > magics else 1


def _is_above(line: str) -> bool:
    """Return whether a line at the top of a cell is blank or a magic for the lines below."""
    return not line.strip() or bool(CELL_MAGIC.match(line))


def _is_cell(frame: FrameType) -> bool:
    """Return whether a frame is a cell's own, and not that of a function in it."""
    return frame.f_code.co_name.startswith(("<module>", "<cell line"))


def _tried(text: str, line: int) -> tuple[str, str]:
    """Return a cell's text above the statement that a line belongs to, and up to its end."""
    lines = text.split("\n")
    for node in _body(text):
        if (node.end_lineno or node.lineno) >= line:
            above, last = first_line(node) - 1, node.end_lineno
            return "\n".join(lines[:above]), "\n".join(lines[: last if above < line else above])
    return "", ""


def _identity(text: str) -> object:
    """Return what is the same for two versions of a cell: the names that it defines."""
    body = _body(as_code(text))
    return tuple(node.name for node in body if isinstance(node, DEFINITIONS)) or text


@lru_cache(maxsize=10_000)
def _bound(text: str) -> frozenset[str]:
    """Return the names that a cell binds or deletes, with ANY if there may be more."""
    names = {name for statement in _body(text) for name in bound(statement)}
    names |= {node.id for node in _names(text) if isinstance(node.ctx, ast.Del)}
    is_open = any(node.id in ("get_ipython", "exec") for node in _names(text))
    return frozenset(names | ({ANY} if is_open else set()))


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
    nodes = (node for statement in _body(text) for node in ast.walk(statement))
    return [node for node in nodes if isinstance(node, ast.Name)]


def _only_defines(text: str) -> bool:
    """Return whether a cell has definitions without decorators, calls of the grader, or nothing."""
    return all(
        isinstance(node, DEFINITIONS) and not node.decorator_list
        for node in _body(CALLS.sub("", text))
    )


def _body(text: str) -> list[ast.stmt]:
    """Return a cell's statements; none if Python cannot read it."""
    try:
        return ast.parse(of_cell(text)).body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return []
