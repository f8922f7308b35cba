"""Grade the cases of one exercise, and grade a sample repeatedly."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path
from random import Random

from autograder import course
from autograder.audit.corpus import Case, Kind, cases, pairs
from autograder.audit.figures import CaseResult
from autograder.checking.collect import Checks, collect
from autograder.client import LocalImplementation, Session, Text
from autograder.course.exercise import Exercise
from autograder.diagnosis.live import LiveMistakes
from autograder.diagnosis.naming import Namer, namer
from autograder.diagnosis.trace import trace
from autograder.grading.grade import ExerciseGrade, Grade, Outcome
from autograder.grading.grader import Grader
from autograder.grading.runner import CheckRunner
from autograder.sandbox import Limits, Sandbox
from autograder.submissions.finding import Submission

PAIRS = 12  # graded for each exercise
OF_RESULTS = frozenset({"wrong values", "wrong shape", "not finite"})  # categories
TRIED = 100  # pairs from which these are chosen
SAMPLE = 4  # wrong solutions that are graded repeatedly


class Auditor:
    """Grader of the cases of one exercise."""

    def __init__(self, checks: Checks, exercise: Exercise, sandbox: Sandbox) -> None:
        self._checks = checks
        self._exercise = exercise
        self._home = checks.home(exercise)
        self._sandbox = sandbox
        self._alone = Grader(checks, sandbox, frozenset([exercise.name]))
        self._whole = Grader(checks, sandbox, frozenset())
        self._known_mistakes = cache(
            partial(LiveMistakes, checks=checks, reference=self._alone.reference)
        )
        self._alone.namer = self._whole.namer = Namer(checks, self._known_mistakes)

    def results(self) -> Iterator[CaseResult]:
        """Grade each case, and those pairs that are wrong in a way of their own."""
        for case in cases(self._home, self._exercise.name):
            yield self.result(case)
        tried = itertools.islice(pairs(self._home, self._exercise.name), TRIED)
        for case in itertools.islice(filter(self.is_distinct, tried), PAIRS):
            yield self.result(case)

    def result(self, case: Case) -> CaseResult:
        """Grade a case. Misconceptions are graded with all assignments that they may affect."""
        if case.kind is Kind.MISCONCEPTION:
            affected = affected_assignments(self._checks, self._exercise)
            graded = _graded(self._whole, self._sandbox, affected, self._texts(case))
        else:
            texts = {self._home: case.text}
            if case.kind not in (Kind.EQUIVALENT, Kind.MISTAKE):  # their files need no others
                texts = self._texts(case)
            graded = _graded(self._alone, self._sandbox, [self._home], texts)
        return _result(case, graded)

    def _texts(self, case: Case) -> dict[str, str]:
        return {name: course.statement(name) for name in course.assignments()} | {
            self._home: case.text
        }

    def is_distinct(self, case: Case) -> bool:
        """Return whether a pair loses points in another way than any single misconception.

        A pair that acts like one of them, except for random numbers, is rightly named after it.
        """
        text = Text(self._home, self._texts(case), course.assignments())
        implementation = LocalImplementation(text.source())
        runner = CheckRunner(self._checks, self._alone.reference, implementation, Limits())
        traces = {}
        for collected in self._checks.of(self._exercise):
            run = runner.run(self._exercise, collected)
            assert run.client is not None
            traces[collected] = trace(run, run.client)
        single = self._known_mistakes(self._home)
        random = {collected: single.random(self._exercise, collected) for collected in traces}
        return any(found.category for found in traces.values()) and not any(
            all(
                single.trace((known,), self._exercise, c).is_like(found, random[c])
                for c, found in traces.items()
            )
            for known in single.known(self._exercise)
        )


def affected_assignments(checks: Checks, exercise: Exercise) -> list[str]:
    """Return the assignments that a mistake may affect: its own, and those that build on it."""
    others = (name for name in course.assignments() if name != checks.home(exercise))
    built = (n for n in others if any(exercise in e.prerequisites() for e in checks.exercises(n)))
    return [checks.home(exercise), *built]


def _graded(
    grader: Grader, sandbox: Sandbox, assignments: list[str], texts: dict[str, str]
) -> list[Grade]:
    session = Session(sandbox)
    try:
        return [
            grader.grade(Submission("audited", Path(f"{name}.py"), name, texts), session)
            for name in assignments
        ]
    finally:
        session.clear()


def _result(case: Case, grades: list[Grade]) -> CaseResult:
    exercises = [exercise for grade in grades for exercise in grade.exercises]
    own = next((e for e in exercises if e.name == case.exercise), ExerciseGrade(case.exercise, ()))
    readable = all(grade.status == "graded" for grade in grades)
    return CaseResult(
        case.kind,
        case.exercise,
        case.name,
        own.outcome if readable else Outcome.ERROR,
        own.points,
        own.max_points,
        mistakes=case.mistakes,
        lost=tuple(f"{own.name}/{c.name}" for c in own.checks if c.outcome is not Outcome.PASSED),
        elsewhere=tuple(e.name for e in exercises if e is not own and e.points < e.max_points),
        named=tuple(
            tuple(f"{e.name}/{identity}" for identity in diagnosis.ids)
            for e in exercises
            for diagnosis in e.diagnoses
            if not diagnosis.seen
        ),
        has_wrong_results=any(c.visible and c.category in OF_RESULTS for c in own.checks),
        is_pictured=own.example is not None and bool(own.example.results),
    )


def sample(checks: Checks, wanted: frozenset[str]) -> dict[str, tuple[str, str]]:
    """Choose every reference and a few wrong solutions, which are graded repeatedly.

    wanted: exercises, none for all. Returns by name the assignment and its text.
    """
    chosen: dict[str, tuple[str, str]] = {}
    wrong: dict[str, tuple[str, str]] = {}
    for home in course.assignments():
        for exercise in checks.exercises(home):
            if not wanted or exercise.name in wanted:
                chosen[f"{home}/reference"] = home, course.statement(home)
                found = cases(home, exercise.name)
                wrong |= {c.name: (home, c.text) for c in found if c.kind is Kind.MISCONCEPTION}
    names = Random("sample").sample(sorted(wrong), min(SAMPLE, len(wrong)))
    return chosen | {name: wrong[name] for name in names}


def repeat(times: int, wanted: frozenset[str], sandbox: Sandbox) -> set[tuple[str, str]]:
    """Grade a sample several times, each time with checks and submissions in another order.

    Checks that find the layout of weights come first: the others ask in the layout found.
    Returns the distinct pairs of a submission and its outcome, as text. An outcome consists of the
    status, the checks and the named mistakes; a submission that is always graded alike has one.
    """
    checks = collect()
    grader = Grader(checks, sandbox, wanted, diagnosing=namer)
    order = Random(sandbox.limits.threads)
    chosen = sample(checks, wanted)
    found = set()
    for _ in range(times):
        mixed = order.sample(checks.collected, len(checks.collected))
        grader.checks = checks.in_order(
            sorted(mixed, key=lambda collected: not collected.check.layout)
        )
        for name in order.sample(sorted(chosen), len(chosen)):
            home, text = chosen[name]
            others = {other: course.statement(other) for other in course.assignments()}
            texts = others | {home: text}
            [grade] = _graded(grader, sandbox, [home], texts)
            found.add((name, _outcome(grade)))
    return found


def _outcome(grade: Grade) -> str:
    """Describe the outcomes of all checks, independent of their order."""
    checks = {
        (e.name, c.name, c.outcome.value, c.points) for e in grade.exercises for c in e.checks
    }
    named = {(e.name, *d.ids) for e in grade.exercises for d in e.diagnoses}
    return f"{grade.status} {sorted(checks)} {sorted(named)}"
