"""Compare answers while a check runs, and stop it once the comparison is decided."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autograder.checking import Wrong
from autograder.client import SAME, Layout
from autograder.diagnosis.trace import Answer, Trace, answered
from autograder.runtime.questions import Step


class Stopped(Wrong):
    """A check was stopped because its outcome does not matter any more."""

    def __init__(self) -> None:
        super().__init__("stopped", "")


class Watch:
    """Compares the answers to one check with a trace.

    observed: the trace. ignored: indices of answers that may differ. enough: how many answers have
    to agree; None for all. agrees: None until the comparison is decided.
    """

    def __init__(self, observed: Trace, ignored: frozenset[int], enough: int | None) -> None:
        self._observed = observed.answers
        self._fails = observed.found_no_layout
        self._ignored = ignored
        self._enough = enough
        self._seen = 0
        self._applies = True
        self.agrees: bool | None = None

    def begin(self, layout: Layout | None) -> None:
        """Note that a conversation begins, in a weight layout."""
        self._applies = self._applies and not self._seen and layout in (None, SAME)

    def see(self, steps: Sequence[Step], answers: Sequence[dict[str, Any]]) -> None:
        """Compare the answers to some steps. Raises Stopped once the comparison is decided."""
        if not self._applies:
            return
        if not self._fails and any(_is_of_names(answer) for answer in answers):
            self._applies = False  # the check will try other layouts, which count instead
            return
        for step, answer in zip(steps, answers, strict=True):
            self._compare(self._seen, answered(step, answer))
            self._seen += 1
            if self.agrees is not None:
                raise Stopped

    def _compare(self, place: int, answer: Answer) -> None:
        if place >= len(self._observed) or (
            place not in self._ignored and not answer.is_like(self._observed[place])
        ):
            self.agrees = False
        elif place + 1 == self._enough:
            self.agrees = True


def _is_of_names(answer: dict[str, Any]) -> bool:
    return "problem" in answer and answer["problem"]["kind"] == "names"
