"""Compare answers while they are given, and stop the check that asks when enough is known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autograder.checking import Wrong
from autograder.client import SAME, Layout, Step
from autograder.diagnosis.trace import Answer, Trace, answered


class Stopped(Wrong):
    """What a check would have said does not matter any more."""

    def __init__(self) -> None:
        super().__init__("stopped", "")


class Watch:
    """Sees what one check asks and is answered.

    left: has the answers to be given. but: the places of those that do not count. enough: how
    many that are alike are, if not all. agrees: None as long as that is not known.
    """

    def __init__(self, left: Trace, but: frozenset[int], enough: int | None) -> None:
        self._left = left.answers
        self._fails = left.is_unplaced
        self._but = but
        self._enough = enough
        self._seen = 0
        self._applies = True
        self.agrees: bool | None = None

    def begin(self, layout: Layout | None) -> None:
        """A conversation begins, in a layout in which gradients are to be read."""
        self._applies = self._applies and not self._seen and layout in (None, SAME)

    def see(self, steps: Sequence[Step], answers: Sequence[dict[str, Any]]) -> None:
        """Raises Stopped when enough is known."""
        if not self._applies:
            return
        if not self._fails and any(_is_of_names(answer) for answer in answers):
            self._applies = False  # what counts is how it fares with others
            return
        for step, answer in zip(steps, answers, strict=True):
            self._compare(self._seen, answered(step["do"], answer))
            self._seen += 1
            if self.agrees is not None:
                raise Stopped

    def _compare(self, place: int, answer: Answer) -> None:
        if place >= len(self._left) or (
            place not in self._but and not answer.is_like(self._left[place])
        ):
            self.agrees = False
        elif place + 1 == self._enough:
            self.agrees = True


def _is_of_names(answer: dict[str, Any]) -> bool:
    return "problem" in answer and answer["problem"]["kind"] == "names"
