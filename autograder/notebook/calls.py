"""check, hint and progress: ask the grader about the cells that were run, and show its answer."""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path

from autograder.course import exercises
from autograder.grading.grade import Outcome
from autograder.notebook.counting import LIMIT, WAITED
from autograder.notebook.displaying import displayed
from autograder.notebook.history import History
from autograder.notebook.importing import begin
from autograder.notebook.kernel import Kernel
from autograder.notebook.shown_interrupts import end_interrupts_in_cells
from autograder.notebook.whereabouts import (
    Elsewhere,
    changed,
    elsewhere,
    gone,
    out_of_order,
    saved_elsewhere,
    unreadable,
    without,
)
from autograder.report.feedback import HERE, MOST_HINTS
from autograder.resident.verdicts import Verdict, verdict
from autograder.submissions.cells import Cells

NO_NOTEBOOK = 'check() is for notebooks. In a terminal, call make grade EX="{}".'
NO_NAME = "Give the name of an exercise in quotation marks, as in the line below the exercise."
WAITING = "Still grading: a statement or call that does not end is stopped after {:.0f} s."
AGAIN, STILL = 10.0, "Still grading, for {:.0f} s so far."
NONE_YET = 'Run check("...") with the name of an exercise first, and then hint() without one.'
NO_HINTS = "Give one name, and if you like a number of hints from 0 to 3, such as hints=2."


@dataclass(frozen=True)
class Shown:
    """An answer that a notebook shows: HTML where it can, else text."""

    text: str
    html: str = ""

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str | None:
        return self.html or None


@dataclass
class _State:
    """The exercise that was checked last, and how many hints about it were shown."""

    exercise: str = ""
    hints: int = 1


STATE = _State()
FOLDER = os.getcwd()  # of the notebook: the kernel is started there
KERNEL = Kernel(Path(FOLDER))


@displayed
def check(exercise: object = "", hints: object = 1, *others: object, **named: object) -> Shown:
    """Grade an exercise by the cells that were run so far. Shows outcome, mistake and example.

    hints: how many are shown, 1 to 3; with 0, a known mistake is not named either.
    """
    name = _meant(exercise)
    if not name.isidentifier():
        return Shown(NO_NAME)
    if others or named or type(hints) is not int or hints not in range(MOST_HINTS + 1):
        return Shown(NO_HINTS)
    if name in exercises():
        STATE.exercise, STATE.hints = name, hints
    return _asked(name)


@displayed
def hint(*exercise: object) -> Shown:
    """Show the next hint about the exercise that was checked last."""
    named = [*map(_meant, exercise)]
    if unknown := next((one for one in named if one not in exercises()), ""):
        return _asked(unknown) if unknown.isidentifier() else Shown(NO_NAME)
    if not STATE.exercise or named not in ([], [STATE.exercise]):
        return Shown(NONE_YET)
    asked = STATE.hints + 1
    STATE.hints = min(asked, MOST_HINTS)
    return _asked(STATE.exercise, asked)


@displayed
def progress(*_: object) -> Shown:
    """Show what has been reached in each assignment, and what to do next."""
    return _asked("")


def _meant(exercise: object) -> str:
    """Return the name of an exercise that was typed with blanks, or in another case."""
    typed = "".join(str(exercise).split())
    return next((one for one in exercises() if one.lower() == typed.lower()), typed)


def _asked(exercise: str, hint: int = 0) -> Shown:
    """Return the verdict. hint: the number of the one that was asked for; 0 for none."""
    history = _history()
    if history is None:
        return Shown(NO_NOTEBOOK.format(exercise))
    kits = KERNEL.kits_cells(exercise)
    ids = {cell for each in kits.values() for cell in each}
    cells, slow = history.cells(ids), history.is_slow(ids)
    stopped = history.stopped(exercise, ids)
    start = time.monotonic()
    with _telling_of_a_wait():
        found = verdict(exercise, STATE.hints, FOLDER, cells, stopped, slow, hint)
    waited = time.monotonic() - start
    told = _told(found, exercise, history)
    made = [name for name, is_made in told.items() if is_made]
    apart = elsewhere(Path(FOLDER), history.names, made, cells)
    if apart and not exercise:  # what does not count is not in the map
        counted = str(apart[0].folder)
        found = verdict("", STATE.hints, counted, without(apart, cells), stopped, slow)
    said = [
        *([history.left_out(exercise, ids), history.in_doubt(exercise, ids)] if exercise else []),
        *_of_files(found, exercise, told, history, cells, apart),
        *KERNEL.remarks(told, cells, kits),
        history.waits(waited, ids),
    ]
    return _with(Shown(found.text, found.html), [*dict.fromkeys(filter(None, said))])


def _told(found: Verdict, exercise: str, history: History) -> dict[str, bool]:
    """Return the exercises of which remarks are made, and whether cells made each."""
    told: dict[str, bool] = {}
    for name in [exercise] if exercise and found.outcomes else found.paths:
        is_made = found.paths.get(name) == HERE and found.outcomes[name] != Outcome.MISSING
        if exercise or is_made or name in history.names:
            told[name] = is_made
    return told


def _of_files(
    found: Verdict,
    exercise: str,
    told: dict[str, bool],
    history: History,
    cells: Cells,
    apart: Sequence[Elsewhere],
) -> Iterator[str]:
    """Yield remarks on files: which do not count, and how they differ from the cells that were run.

    told: see `_told`. apart: files elsewhere that hold what the cells have made.
    """
    folder = Path(FOLDER)
    made = [name for name, is_made in told.items() if is_made]
    if exercise in found.paths and not made:
        saved = saved_elsewhere(folder, history.names, exercise, found.paths[exercise])
        yield str(saved) if saved else ""
    yield from map(str, apart)
    yield from unreadable(folder, [name for name in told if found.paths.get(name) == HERE])
    if not apart:
        began = history.began()
        yield from out_of_order(folder, made, cells)
        yield from gone(folder, made, cells, began)
        yield from changed(folder, made, cells, began)


@contextlib.contextmanager
def _telling_of_a_wait() -> Iterator[None]:
    """Say what is going on if the verdict takes long, and again from time to time."""
    is_over = threading.Event()
    begun = time.monotonic()

    def tell() -> None:
        if not is_over.wait(WAITED):
            print(WAITING.format(LIMIT), flush=True)
        while not is_over.wait(AGAIN):
            print(STILL.format(time.monotonic() - begun), flush=True)

    threading.Thread(target=tell, daemon=True).start()
    try:
        yield
    finally:
        is_over.set()


def _with(shown: Shown, said: list[str]) -> Shown:
    """Return an answer with more sentences below it."""
    text = "\n".join([shown.text, *said])
    more = "".join(f"<p>{escape(one)}</p>" for one in said)
    return Shown(text, shown.html and shown.html + more)


@cache
def _history() -> History | None:
    """Return the session's history; None outside a notebook."""
    with contextlib.suppress(ImportError):
        from IPython.core.getipython import get_ipython

        if shell := get_ipython():
            history = History(shell)
            KERNEL.begin(shell)
            end_interrupts_in_cells(shell)
            return history
    return None


if _history():  # from now on, cells are noted
    begin(Path(FOLDER))
