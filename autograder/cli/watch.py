"""`python -m autograder watch`: the verdict on the current exercise at each save.

With --once it prints the verdict and ends.
"""

from __future__ import annotations

import argparse
import contextlib
import queue
import sys
import threading
from functools import partial

from autograder import course
from autograder.cli.keys import keys, single_keys
from autograder.cli.saves import Saves
from autograder.cli.watching import Early, Watching
from autograder.errors import UsageError
from autograder.report.codes import OK
from autograder.report.columns import TIE, wrapped
from autograder.report.streams import say, screen
from autograder.resident.verdicts import Verdict, verdict

CLEAR = "\x1b[2J\x1b[H"
KEYS = ("n next", "h hint", "l list", "c check all", "x reset", "q quit")
BEGINS = "Grading your files. The first verdict takes a few seconds."
QUIT, SAVED = "q", "saved"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this verb to its parser."""
    parser.add_argument("--once", action="store_true", help="print one verdict and end")
    parser.add_argument(
        "--hints", type=int, choices=range(4), default=1, help="how many hints at first (default 1)"
    )


def run(options: argparse.Namespace) -> int:
    """Watch assignments/. Returns the exit code. Raises UsageError without a terminal."""
    folder = course.assignments_folder()

    def ask(exercise: str, hints: int, early: Early | None) -> Verdict:
        return verdict(exercise, hints, str(folder), early=None if options.once else early)

    saves = Saves(folder)  # before the first verdict, which reads the files
    if options.once:
        saves.wait_for_the_last()
        Watching(ask, lambda text: say(f"{text}\n"), options.hints).begin()
        return OK
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageError("make watch needs a terminal. Call make next, or make grade.")
    watching = Watching(ask, _show, options.hints)
    events = Events()
    with single_keys():
        for note in (events.note_keys, partial(events.note_saves, saves)):
            threading.Thread(target=note, daemon=True).start()
        _show("\n".join(wrapped(BEGINS, columns=screen().columns)))
        watching.begin()
        while (event := events.next()) != QUIT:
            if event == SAVED:
                watching.saved()
            else:
                watching.press(event)
    return OK


def keys_line(columns: int) -> str:
    """Return what each key does, in as few lines as fit."""
    tied = "   ".join(key.replace(" ", TIE) for key in KEYS)
    return "\n".join(wrapped(tied, columns=columns)).replace(TIE, " ")


def _show(text: str) -> None:
    say(f"{CLEAR}{text}\n\n{keys_line(screen().columns)}\n")


class Events:
    """Keys and saves in the order in which they happen; of saves that wait, only one."""

    def __init__(self) -> None:
        self._queue: queue.Queue[str] = queue.Queue()
        self._save_waits = threading.Event()

    def next(self) -> str:
        """Wait for the next key, or for SAVED. When the terminal is gone it is QUIT."""
        while True:
            with contextlib.suppress(queue.Empty):
                event = self._queue.get(timeout=0.5)  # on Windows Ctrl-C has to wait for its end
                if event == SAVED:
                    self._save_waits.clear()
                return event

    def note_keys(self) -> None:
        """Note each key until the terminal is gone."""
        for key in keys():
            self._queue.put(key)
        self._queue.put(QUIT)

    def note_saves(self, saves: Saves) -> None:
        """Note each save."""
        while True:
            saves.wait()
            self.note_save()

    def note_save(self) -> None:
        """Note that something was saved, unless a save waits already."""
        if not self._save_waits.is_set():
            self._save_waits.set()
            self._queue.put(SAVED)
