"""The screen of `make watch`: one exercise, and never another one by itself."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from autograder import course
from autograder.errors import AutograderError
from autograder.report.columns import wrapped
from autograder.report.feedback import MOST_HINTS, finished
from autograder.report.streams import screen
from autograder.resident.verdicts import Verdict

Early = Callable[[Verdict], object]
Ask = Callable[[str, int, Early | None], Verdict]
Show = Callable[[str], object]
PASSES = "It passes. Press n for the next exercise."


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
        self._above = ""  # what the next verdict must not wipe off
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
            before, self._hints = self._hints, min(self._hints + 1, MOST_HINTS)
            # An early one takes the example away, but with the last hint a line is sought for long.
            self._verdict(early=before < self._hints == MOST_HINTS)
        elif key in ("l", "c"):
            self._all = self._ask("", 0, None)
            self._show(self._all.text)
        elif key == "x" and self.exercise:
            self._resets = True
            self._tell(f"Press y to give {self._where()} back its first text. A copy is kept.")
        elif key == "y" and resets:
            self._reset()

    def _go_on(self, after: str = "") -> None:
        """Go to the next exercise that does not pass, from the beginning again after the last."""
        self._above = ""  # it is about the exercise before
        names = [*self._all.outcomes]
        start = names.index(after) + 1 if after in names else 0
        ahead = [*names[start:], *names[:start]]
        self.exercise = next((n for n in ahead if self._all.outcomes[n] != "passed"), "")
        self._hints = self._hints_at_first
        if self.exercise:
            self._verdict()
        else:
            self._show("\n".join(map(_fitting, finished())) if names else self._all.text)

    def _verdict(self, early: bool = True) -> None:
        above, self._above = self._above, ""
        show = partial(self._show_found, above)
        show(self._ask(self.exercise, self._hints, show if early else None))

    def _show_found(self, above: str, found: Verdict) -> None:
        self._all.outcomes.update(found.outcomes)
        self._all.paths.update(found.paths)
        passed = found.outcomes.get(self.exercise) == "passed"
        ending = f"\n\n{_fitting(PASSES)}" * passed
        self._show(f"{above}{_fitting(self._where())}\n\n{found.text}{ending}")

    def _reset(self) -> None:
        from autograder.kit.reset import reset

        try:
            copy = reset(self.exercise, Path(self._all.paths.get(self.exercise, "")))
            text = f"{self.exercise} is as at the beginning. Your text: {_short(str(copy))}"
            self._above = f"{self._tell(text)}\n\n"  # the file was saved, so a verdict follows
        except AutograderError as reason:
            self._tell(str(reason))

    def _where(self) -> str:
        return f"{self.exercise} in {_short(self._all.paths.get(self.exercise, ''))}"

    def _tell(self, text: str) -> str:
        """Show a sentence in lines that fit. Returns them."""
        fitting = _fitting(text)
        self._show(fitting)
        return fitting


def _fitting(text: str) -> str:
    return "\n".join(wrapped(text, columns=screen().columns))


def _short(path: str) -> str:
    try:
        return str(Path(path).relative_to(course.root()))
    except ValueError:
        return path
