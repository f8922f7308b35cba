"""Find the misconception that leaves the same trace as a submission in all that it was asked.

Naming the wrong one is worse than silence: what is named agrees with the submission in every
answer to every check, and all misconceptions that do have the same hints.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from autograder.diagnosis.suspects import Known, Suspects
from autograder.diagnosis.trace import Trace, trace
from autograder.exercise import Exercise
from autograder.grading.collect import Checks, Collected
from autograder.grading.examination import FATAL, MISSING, Finding
from autograder.grading.grade import Diagnosis

Left = Mapping[Collected, Trace]  # what a submission left in each check


class Namer:
    """Names the mistakes of one submission after the other.

    suspects: makes those of an assignment.
    """

    def __init__(self, checks: Checks, suspects: Callable[[str], Suspects]) -> None:
        self._checks = checks
        self._make = suspects
        self._suspects: dict[str, Suspects] = {}

    def of(
        self, exercise: Exercise, findings: Iterable[tuple[Collected, Finding]]
    ) -> tuple[Diagnosis, ...]:
        """The mistakes in an exercise of which some checks have failed.

        There are none where it is not written, or was stopped: no misconception is like that.
        """
        found = list(findings)
        if any(f.problem and f.problem.kind in MISSING | FATAL for _, f in found):
            return ()
        return self.name(exercise, {c: trace(f, f.course) for c, f in found if f.course})

    def name(self, exercise: Exercise, left: Left) -> tuple[Diagnosis, ...]:
        """The mistakes that left these traces, of which some are of failed checks."""
        assignment = self._checks.home(exercise)
        if assignment not in self._suspects:
            self._suspects[assignment] = self._make(assignment)
        suspects = self._suspects[assignment]
        fitting = _fitting(suspects, exercise, left, {})
        if not fitting:  # written otherwise, it draws other random numbers
            random = {collected: suspects.random(exercise, collected) for collected in left}
            fitting = _fitting(suspects, exercise, left, random)
        if len({known.hints for known in fitting}) != 1:
            return ()
        mistakes = {known.mistake for known in fitting}
        phrase = mistakes.pop() if len(mistakes) == 1 else ""
        return (Diagnosis(tuple(known.id for known in fitting), phrase, fitting[0].hints),)


def _fitting(
    suspects: Suspects, exercise: Exercise, left: Left, random: Mapping[Collected, frozenset[int]]
) -> list[Known]:
    """Those that leave the same traces, but for random answers."""

    def dear(collected: Collected) -> float:
        """How late to ask: what failed tells more than what passed."""
        return suspects.seconds(exercise, collected) / (4 if left[collected].category else 1)

    def fits(known: Known) -> bool:
        return all(
            suspects.trace(known, exercise, c).is_like(left[c], random.get(c, frozenset()))
            for c in asked
        )

    asked = sorted(left, key=dear)
    return [known for known in suspects.known(exercise) if fits(known)]
