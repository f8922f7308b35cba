"""Find the mutants of a reference that lose points, and whose mistake the grader cannot name."""

from __future__ import annotations

from functools import cache

from autograder.audit import processes
from autograder.audit.corpus import Case, Kind
from autograder.audit.examining import Auditor
from autograder.audit.figures import CaseResult
from autograder.audit.killing import LIMITS, REFERENCE, mutants_of
from autograder.checking.collect import Checks
from autograder.grading.grade import Outcome
from autograder.mutants.making import Mutant


def of_reference(checks: Checks, exercise: str) -> list[Mutant]:
    """Return all mutants of the reference of an exercise."""
    return [*mutants_of(checks, exercise, f"{exercise}/{REFERENCE}")]


def unnamed(checks: Checks, exercise: str, done: processes.Done) -> list[Mutant]:
    """Return the mutants of a reference that lose points and get no name.

    done is called after each. Raises NoSuchExercise, CourseError and SandboxFailed.
    """
    checks.assert_known([exercise])
    made = of_reference(checks, exercise)
    with processes.pool(LIMITS) as pool:
        parts = {one.id: pool.submit(is_unnamed, one) for one in made}
        processes.report(pool, parts, done)
    return [one for one in made if parts[one.id].result()]


def is_noticed(mutant: Mutant) -> bool:
    """Return whether a mutant loses points."""
    return _graded(mutant).outcome is not Outcome.PASSED


def is_unnamed(mutant: Mutant) -> bool:
    """Return whether a mutant loses points, and no name is given to its mistake."""
    return is_noticed(mutant) and not _graded(mutant).named


@cache
def _graded(mutant: Mutant) -> CaseResult:
    case = Case(Kind.MISTAKE, mutant.exercise, mutant.id, mutant.text)
    return _auditor(mutant.exercise).result(case)


@cache
def _auditor(exercise: str) -> Auditor:
    return Auditor(processes.checks(), processes.exercise(exercise), processes.sandbox(LIMITS))
