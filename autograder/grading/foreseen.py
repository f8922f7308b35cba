"""What a right submission is asked about each exercise: the solution is asked it first."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograder import course
from autograder.channel import Asked, MistakenSide, Script, Scripts, Step
from autograder.exercise import Exercise
from autograder.grading import references
from autograder.grading.collect import Checks
from autograder.grading.grade import Outcome
from autograder.grading.inquiry import Inquiry
from autograder.grading.references import Reference
from autograder.sandbox import Limits


class Foreseen:
    """The scripts of exercises; none where there are only recordings of the references."""

    def __init__(self, checks: Checks, reference: Callable[[str], Reference]) -> None:
        self._checks = checks
        self._reference = reference
        self._scripts: dict[str, Scripts | None] = {}

    def of(self, exercise: Exercise) -> Scripts | None:
        """The scripts of an exercise; None if the solution prints, or is not right itself."""
        if exercise.name not in self._scripts:
            self._scripts[exercise.name] = self._found_out(exercise)
        return self._scripts[exercise.name]

    def _found_out(self, exercise: Exercise) -> Scripts | None:
        if course.is_students_copy():
            return None
        solution = _Overheard(references.text(self._checks.home(exercise)).source())
        inquiry = Inquiry(self._checks, self._reference, solution, Limits())
        whole: list[Asked] = []
        by_kind: dict[bool, list[Asked]] = {True: [], False: []}
        for collected in self._checks.of(exercise):
            finding = inquiry.ask(exercise, collected)
            if finding.outcome is not Outcome.PASSED or solution.has_printed:
                return None
            by_kind[collected.visible] += solution.asked[len(whole) :]
            whole = list(solution.asked)
        return Scripts(Script(whole), Script(by_kind[True]), Script(by_kind[False]))


class _Overheard(MistakenSide):
    """Code of ours that remembers what it was asked."""

    has_printed = False
    asked: list[Asked]

    def _ask(self, steps: list[Step], fresh: bool) -> tuple[list[dict[str, Any]], str]:
        self.asked = [*getattr(self, "asked", []), Asked(steps, fresh)]
        found = super()._ask(steps, fresh)
        self.has_printed = self.has_printed or bool(found[1])
        return found
