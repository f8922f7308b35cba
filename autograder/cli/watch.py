"""`python -m autograder watch`: the verdict on the current exercise at each save.

It never goes to another exercise by itself. With --once it prints the verdict and ends.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import queue
import sys
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path

from autograder import course, plain_file
from autograder.cli.keys import keys, single_keys
from autograder.errors import AutograderError, UsageError
from autograder.plain_file import NotPlain, TooLarge
from autograder.report.codes import OK
from autograder.report.columns import wrapped
from autograder.report.feedback import MOST_HINTS
from autograder.report.streams import say, screen
from autograder.resident.verdicts import Verdict, verdict
from autograder.submissions.source_text import MAX_NOTEBOOK

CLEAR = "\x1b[2J\x1b[H"
KEYS = "n next   h hint   l list   c check all   x reset   q quit"
STEP = 10  # milliseconds without a change after which a save is over: editors write in steps
DEBOUNCE = 200  # milliseconds after which it counts as over in any case
QUIT, SAVED = "q", "saved"
ENDINGS = (".py", ".ipynb")
Early = Callable[[Verdict], object]
Ask = Callable[[str, int, Early | None], Verdict]
Show = Callable[[str], object]


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

    if options.once:
        Watching(ask, lambda text: say(f"{text}\n"), options.hints).begin()
        return OK
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageError("make watch needs a terminal. Call make next, or make grade.")
    watching = Watching(ask, lambda text: say(f"{CLEAR}{text}\n\n{KEYS}\n"), options.hints)
    events = Events()
    with single_keys():
        for note in (events.note_keys, partial(events.note_saves, folder)):
            threading.Thread(target=note, daemon=True).start()
        watching.begin()
        while (event := events.next()) != QUIT:
            if event == SAVED:
                watching.saved()
            else:
                watching.press(event)
    return OK


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

    def note_saves(self, folder: Path) -> None:
        """Note each change of contents in a folder; of the folder, since editors replace files."""
        from watchfiles import watch

        before = contents(folder)
        for _ in watch(
            folder, debounce=DEBOUNCE, step=STEP, raise_interrupt=False, recursive=False
        ):
            if (now := contents(folder)) != before:
                before = now
                self.note_save()

    def note_save(self) -> None:
        """Note that something was saved, unless a save waits already."""
        if not self._save_waits.is_set():
            self._save_waits.set()
            self._queue.put(SAVED)


class Watching:
    """The current exercise, and what is shown of it.

    ask: returns the verdict on an exercise with so many hints, or on all for "", and calls its last
    argument with one that is not whole yet. show: shows a text in place of the one before. hints:
    how many are shown before the key h is pressed.
    """

    def __init__(self, ask: Ask, show: Show, hints: int = 1) -> None:
        self._ask, self._show = ask, show
        self._all = Verdict("")
        self._hints_at_first = self._hints = hints
        self._resets = False  # whether the key x was pressed last
        self.exercise = ""

    def begin(self) -> None:
        """Show the first exercise that does not pass yet."""
        self._all = self._ask("", 0, None)
        self._go_on()

    def saved(self) -> None:
        """Show the verdict after a file was saved."""
        self._resets = False
        if self.exercise:
            self._hints = self._hints_at_first
            self._verdict()
        else:
            self.begin()

    def press(self, key: str) -> None:
        """Do what a key stands for; others do nothing."""
        resets, self._resets = self._resets, False
        if key == "n":
            self._all = self._ask("", 0, None)
            self._go_on(after=self.exercise)
        elif key == "h" and self.exercise:
            self._hints = min(self._hints + 1, MOST_HINTS)
            self._verdict()
        elif key in ("l", "c"):
            self._all = self._ask("", 0, None)
            self._show(self._all.text)
        elif key == "x" and self.exercise:
            self._reset(confirmed=resets)

    def _go_on(self, after: str = "") -> None:
        """Go to the next exercise that does not pass, from the beginning again after the last."""
        names = [*self._all.outcomes]
        start = names.index(after) + 1 if after in names else 0
        ahead = [*names[start:], *names[:start]]
        self.exercise = next((n for n in ahead if self._all.outcomes[n] != "passed"), "")
        self._hints = self._hints_at_first
        if self.exercise:
            self._verdict()
        else:
            self._show(_finished() if names else self._all.text)

    def _verdict(self) -> None:
        self._show_found(self._ask(self.exercise, self._hints, self._show_found))

    def _show_found(self, found: Verdict) -> None:
        self._all.outcomes.update(found.outcomes)
        self._all.paths.update(found.paths)
        passed = found.outcomes.get(self.exercise) == "passed"
        where = f"{self.exercise} in {_short(found.paths.get(self.exercise, ''))}"
        ending = "\n\nIt passes. Press n for the next exercise." * passed
        self._show(f"{where}\n\n{found.text}{ending}")

    def _reset(self, confirmed: bool) -> None:
        path = self._all.paths.get(self.exercise, "")
        if not confirmed:
            self._resets = True
            where = f"{self.exercise} in {_short(path)}"
            self._tell(f"Press x again to give {where} back its first text. A copy is kept.")
            return
        from autograder.kit.reset import reset

        try:
            copy = reset(self.exercise, Path(path))
            self._tell(f"{self.exercise} is as at the beginning. Your text: {_short(str(copy))}")
        except AutograderError as reason:
            self._tell(str(reason))

    def _tell(self, text: str) -> None:
        self._show("\n".join(wrapped(text, columns=screen().columns)))


def contents(folder: Path) -> dict[str, bytes]:
    """Return a digest of each module and notebook; one that is being replaced is left out."""
    found = {}
    for path in folder.iterdir():
        if path.suffix in ENDINGS:
            try:
                data = plain_file.read(path, MAX_NOTEBOOK)
            except (NotPlain, TooLarge, OSError):  # its grade will say so
                continue
            found[path.name] = hashlib.blake2b(data, digest_size=16).digest()
    return found


def _finished() -> str:
    from autograder.report.terminal import finished  # it imports PyTorch

    return "\n".join(finished())


def _short(path: str) -> str:
    try:
        return str(Path(path).relative_to(course.root()))
    except ValueError:
        return path
