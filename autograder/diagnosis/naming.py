"""Find the misconceptions that leave the same trace as a submission in all that it was asked.

Naming the wrong one is worse than silence: what is told agrees with the submission in every
answer to every check (of the tries of one that has found no layout, in the first), so closely
that it explains where the submission differs from the reference, and all misconceptions that do
have the same hints. Two at once are looked for where no single one agrees; where none do, what
was observed may have a name.
Others with those hints, which decide nothing more, are listed if they agree in all but dear checks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from autograder.checking.collect import Checks, Collected
from autograder.client import SAME
from autograder.client.loading import Reference
from autograder.course.exercise import Exercise
from autograder.diagnosis.known_mistakes import (
    KnownMistake,
    KnownMistakes,
    Mistakes,
    Search,
    TooMuchWork,
    Traces,
    known_mistakes,
)
from autograder.diagnosis.symptoms import by_symptom
from autograder.diagnosis.trace import trace
from autograder.grading.examination import FATAL
from autograder.grading.grade import Diagnosis
from autograder.grading.inquiry import MISSING, Finding

UNLIKE = MISSING | FATAL | {"garbled"}  # any misconception
RAISED = "raised an error"  # a category
DEAR_CHECK = 3_000  # work: a training, or a search through all layouts of weights


class Namer:
    """Names the mistakes of one submission after the other.

    suspects: makes those of an assignment.
    """

    def __init__(self, checks: Checks, known_mistakes: Callable[[str], KnownMistakes]) -> None:
        self._checks = checks
        self._make = known_mistakes
        self._known_mistakes: dict[str, KnownMistakes] = {}

    def of(
        self, exercise: Exercise, findings: Iterable[tuple[Collected, Finding]]
    ) -> tuple[Diagnosis, ...]:
        """The mistakes in an exercise of which some checks have failed.

        There are none where it is not written, was stopped or garbled its reply: no misconception
        is like that.
        """
        found = list(findings)
        if any(f.problem and f.problem.kind in UNLIKE for _, f in found):
            return ()
        traces = {c: trace(f, f.client) for c, f in found if f.client}
        return self.name(exercise, traces) or by_symptom(found)

    def name(self, exercise: Exercise, left: Traces) -> tuple[Diagnosis, ...]:
        """The mistakes that left these traces, of which some are of failed checks."""
        assignment = self._checks.home(exercise)
        if assignment not in self._known_mistakes:
            self._known_mistakes[assignment] = self._make(assignment)
        known_mistakes = self._known_mistakes[assignment]
        right = {c: known_mistakes.right(exercise, c) for c in left}
        beside = {c: trace.beside(right[c]) for c, trace in left.items()}
        search = known_mistakes.search(exercise, beside)
        by_chance = all(t.tells(right[c], search.random(c)) for c, t in beside.items())
        # Of two mistakes that only ever raise an error, the error shows no more than one.
        shows_two = any(t.category not in ("", RAISED) for t in left.values())
        for candidates in (search.singles, search.pairs) if shows_two else (search.singles,):
            try:
                fitting = _fitting(search, list(candidates()), beside, by_chance)
            except TooMuchWork:
                return ()
            if fitting:
                return _diagnoses(fitting)
        return ()


def namer(checks: Checks, reference: Callable[[str], Reference]) -> Namer:
    """What names the course's known mistakes. reference: of an assignment."""
    return Namer(checks, partial(known_mistakes, checks=checks, reference=reference))


def _fitting(
    search: Search, candidates: Sequence[Mistakes], left: Traces, by_chance: bool
) -> list[Mistakes]:
    """Those that leave the same traces; if there are none, those that do but for random answers:
    what is written otherwise draws other random numbers. by_chance: do other answers tell?"""

    def late(collected: Collected) -> tuple[int, float]:
        """How late to ask: another layout of weights is to be known before other checks,
        to look for one in vain is dear; and what failed tells more than what passed."""
        trace = left[collected]
        layout = 0
        if collected.check.layout and (trace.category or trace.layout != SAME):
            layout = 1 if trace.is_unplaced else -1
        return layout, trace.work / (8 if trace.category else 1)

    asked = sorted(left, key=late)
    cheap = [c for c in asked if left[c].work <= DEAR_CHECK] or asked

    def unlike(mistakes: Mistakes, checks: Sequence[Collected], chance: bool) -> Collected | None:
        """The first of some checks in which these leave another trace."""
        for c in checks:
            random = search.random(c) if chance else frozenset[int]()
            if not search.leaves(mistakes, c, random):
                return c
        return None

    for chance in (False, True) if by_chance else (False,):
        found: list[Mistakes] = []
        others: list[Mistakes] = []  # which may differ by chance
        for mistakes in candidates:
            is_told = bool(found) and _hints(mistakes) == _hints(found[0])
            differs = unlike(mistakes, cheap if is_told else asked, chance)
            if differs is None:
                found.append(mistakes)
                if _hints(mistakes) != _hints(found[0]):  # nothing will be said
                    return found
            elif not chance and search.random(differs):
                others.append(mistakes)
        if found:
            return found
        candidates = others
    return []


def _hints(mistakes: Mistakes) -> set[tuple[str, ...]]:
    return {known.hints for known in mistakes}


def _diagnoses(fitting: Sequence[Mistakes]) -> tuple[Diagnosis, ...]:
    """One for each different set of hints; none if not all that fit have the same ones."""
    if any(_hints(mistakes) != _hints(fitting[0]) for mistakes in fitting):
        return ()
    by_hints: dict[tuple[str, ...], list[KnownMistake]] = {}
    for known in dict.fromkeys(known for mistakes in fitting for known in mistakes):
        by_hints.setdefault(known.hints, []).append(known)
    return tuple(_diagnosis(same) for same in by_hints.values())


def _diagnosis(same: Sequence[KnownMistake]) -> Diagnosis:
    mistakes = {known.mistake for known in same}
    phrase = mistakes.pop() if len(mistakes) == 1 else ""
    return Diagnosis(tuple(known.id for known in same), phrase, same[0].hints)
