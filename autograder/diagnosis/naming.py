"""Find the misconceptions that leave the same trace as a submission in all checks.

Naming the wrong mistake is worse than naming none. So a misconception has to agree with the
submission in every answer to every check, closely enough to explain how the submission differs from
the reference, and all misconceptions that agree must have the same hints. (If a check tried several
weight layouts in vain, only its first answers count.) Once one agrees, others with the same hints
only have to agree in the cheap checks. If no single misconception agrees, pairs are tried; if no
pair agrees either, a symptom may be named.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from autograder import course
from autograder.checking.collect import Checks, Collected
from autograder.client import SAME, loading
from autograder.client.loading import Reference
from autograder.course.exercise import Exercise
from autograder.diagnosis import alike, symptoms
from autograder.diagnosis.known_mistakes import (
    KnownMistake,
    KnownMistakes,
    Mistakes,
    Search,
    TooMuchWork,
    Traces,
)
from autograder.diagnosis.trace import Trace, trace
from autograder.grading.check_grades import FATAL
from autograder.grading.grade import Diagnosis
from autograder.grading.runner import MISSING, CheckRun

UNNAMEABLE = MISSING | FATAL | {"garbled"}  # kinds of problems that no misconception causes
RAISED = "raised an error"  # a category
EXPENSIVE_CHECK = 3_000  # work, e.g. of a training or of trying all weight layouts


class Namer:
    """Names the mistakes of submissions.

    known_mistakes: returns the misconceptions of an assignment.
    """

    def __init__(self, checks: Checks, known_mistakes: Callable[[str], KnownMistakes]) -> None:
        self._checks = checks
        self._make = known_mistakes
        self._known_mistakes: dict[str, KnownMistakes] = {}

    def of(
        self, exercise: Exercise, runs: Iterable[tuple[Collected, CheckRun]]
    ) -> tuple[Diagnosis, ...]:
        """Return the mistakes in an exercise with failed checks.

        None are named if the exercise is not written, was stopped or garbled its reply.
        """
        found = list(runs)
        if any(f.problem and f.problem.kind in UNNAMEABLE for _, f in found):
            return ()
        traces = {c: trace(f, f.client) for c, f in found if f.client}
        known = symptoms.known(self._checks.home(exercise))
        return self.name(exercise, traces) or symptoms.by_symptom(found, known)

    def alike(self, exercise: Exercise, runs: Iterable[tuple[Collected, CheckRun]]) -> str:
        """Return a key that an exercise shares with other work that fails in the same way."""
        found = list(runs)
        if any(f.problem and f.problem.kind in UNNAMEABLE for _, f in found):
            return alike.key(found, {}, {})
        traces = {c: trace(f, f.client) for c, f in found if f.client}
        search = self._known(exercise).search(exercise, traces)
        return alike.key(found, traces, {c: search.random(c) for c in traces})

    def name(self, exercise: Exercise, observed: Traces) -> tuple[Diagnosis, ...]:
        """Return the mistakes that explain these traces, some of which are of failed checks."""
        known_mistakes = self._known(exercise)
        right = {c: known_mistakes.right(exercise, c) for c in observed}
        limited = {c: trace.limited_by(right[c]) for c, trace in observed.items()}
        search = known_mistakes.search(exercise, limited)
        other_evidence = all(
            t.is_informative(right[c], search.random(c)) for c, t in limited.items()
        )
        # An error stops the call at the first mistake, so it cannot show a second one.
        shows_two = any(t.category not in ("", RAISED) for t in observed.values())
        asked = sorted(limited, key=lambda c: _late(c, limited[c]))
        for candidates in (search.singles, search.pairs) if shows_two else (search.singles,):
            try:
                fitting = _fitting(search, list(candidates()), limited, asked, other_evidence)
            except TooMuchWork:
                return ()
            if fitting:
                return _diagnoses(fitting)
        return ()

    def _known(self, exercise: Exercise) -> KnownMistakes:
        """Return the misconceptions of an exercise's assignment, which are made once."""
        assignment = self._checks.home(exercise)
        if assignment not in self._known_mistakes:
            self._known_mistakes[assignment] = self._make(assignment)
        return self._known_mistakes[assignment]


def namer(checks: Checks, reference: Callable[[str], Reference]) -> Namer:
    """Return the Namer of the course. reference: returns an assignment's reference."""
    return Namer(checks, partial(_known_mistakes, checks=checks, reference=reference))


def _known_mistakes(
    assignment: str, checks: Checks, reference: Callable[[str], Reference]
) -> KnownMistakes:
    """Return an assignment's misconceptions; in a student's copy, recordings of their traces."""
    if course.is_students_copy():
        from autograder.diagnosis.recorded import RecordedMistakes

        return loading.recorded(assignment, ".traces", RecordedMistakes)
    from autograder.diagnosis.live import LiveMistakes

    return LiveMistakes(assignment, checks, reference)


def _fitting(
    search: Search,
    candidates: Sequence[Mistakes],
    observed: Traces,
    asked: list[Collected],
    other_evidence: bool,
) -> list[Mistakes]:
    """Return the candidates that leave the same traces.

    If there are none, return those that differ in random answers only, since differently written
    code draws other random numbers. asked: the checks of observed in the order in which candidates
    are compared; a check that rules one out comes sooner for the next ones, as it is likely to rule
    them out as well. other_evidence: whether there are other wrong answers; without them, random
    answers are not ignored.
    """
    cheap = [c for c in asked if observed[c].work <= EXPENSIVE_CHECK] or asked

    def unlike(mistakes: Mistakes, is_told: bool, chance: bool) -> Collected | None:
        """Return the first check in which these mistakes leave another trace."""
        for c in asked:
            if is_told and c not in cheap:
                continue
            random = search.random(c) if chance else frozenset[int]()
            if not search.leaves(mistakes, c, random):
                asked.sort(key=lambda other: (_layout(other, observed[other]), other is not c))
                return c
        return None

    for chance in (False, True) if other_evidence else (False,):
        found: list[Mistakes] = []
        others: list[Mistakes] = []  # those that differ in random answers
        for mistakes in candidates:
            is_told = bool(found) and _hints(mistakes) == _hints(found[0])
            differs = unlike(mistakes, is_told, chance)
            if differs is None:
                found.append(mistakes)
                if _hints(mistakes) != _hints(found[0]):  # ambiguous: nothing will be named
                    return found
            elif not chance and search.random(differs):
                others.append(mistakes)
        if found:
            return found
        candidates = others
    return []


def _late(collected: Collected, trace: Trace) -> tuple[int, float]:
    """Return a sort key that puts informative and cheap checks first.

    Failed checks are more informative than passed ones.
    """
    return _layout(collected, trace), trace.work / (8 if trace.category else 1)


def _layout(collected: Collected, trace: Trace) -> int:
    """Return a sort key of a check by what it says of the layout of weights.

    A layout that was found comes first, since later checks use it; a vain search for one comes
    last, since it is expensive.
    """
    if collected.check.layout and (trace.category or trace.layout != SAME):
        return 1 if trace.found_no_layout else -1
    return 0


def _hints(mistakes: Mistakes) -> set[tuple[str, ...]]:
    return {known.hints for known in mistakes}


def _diagnoses(fitting: Sequence[Mistakes]) -> tuple[Diagnosis, ...]:
    """Return one diagnosis per set of hints; none if the fitting mistakes have different hints."""
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
