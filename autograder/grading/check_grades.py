"""Grade single checks: from the run of a check to its grade."""

from __future__ import annotations

from dataclasses import replace

from autograder.checking.collect import Collected
from autograder.client import Problem
from autograder.grading import wording
from autograder.grading.grade import CheckGrade, Outcome
from autograder.grading.runner import CheckRun
from autograder.sandbox import Printed

Found = tuple[Collected, CheckRun, Printed]
# Kinds of problems that the next check would meet again: the child was lost or may ask no more.
FATAL = frozenset({"timeout", "killed", "crashed", "sigkill", "left", "spent"})


def verdict(collected: Collected, run: CheckRun) -> CheckRun | None:
    """Return what counts as the run of the remaining checks, or None if they have to be run.

    The message of a hidden check may contain its inputs, so it is not repeated.
    """
    problem = run.problem
    assert problem is not None
    if problem.kind == "spent" or (problem.kind == "absent" and collected.visible):
        return run
    if problem.kind in FATAL | {"absent"}:
        came = f"found it {run.category}" if problem.kind == "absent" else run.category
        said = f"Not run: an earlier check of {collected.check.exercise.name} {came}."
        return CheckRun(run.outcome, said, run.category, problem)
    return None


def graded(collected: Collected, run: CheckRun, printed: Printed) -> CheckGrade:
    """Return the grade of a check. A hidden check's message is a fixed phrase and nothing else."""
    if not collected.visible:
        phrase = wording.capital(f"{run.category}.") if run.category else ""
        return check_grade(collected, run.outcome, phrase, category=run.category)
    if run.outcome in (Outcome.PASSED, Outcome.ERROR):
        message = run.message or " ".join(run.notes)
        return check_grade(collected, run.outcome, message)
    text = (printed.stdout + printed.stderr).decode(errors="replace")
    return check_grade(collected, run.outcome, run.message, text, run.category)


def blocked(collected: Collected, run: CheckRun, printed: Printed, waits_for: str) -> CheckGrade:
    if run.outcome in (Outcome.FAILED, Outcome.MISSING):
        return check_grade(collected, Outcome.BLOCKED, f"Waits for {waits_for}.")
    return graded(collected, run, printed)


def carried(before: Found, after: Found, waits_for: str, reason: str) -> CheckGrade:
    """Return the grade of a check from its runs before and after references were put in.

    waits_for: the wrong prerequisite, "" if none is. reason: why it may only pass afterwards.
    """
    collected, run, _ = before
    again = after[1]
    if run.outcome not in (Outcome.FAILED, Outcome.MISSING):
        return graded(*before)
    if again.outcome is Outcome.PASSED and not waits_for:
        return check_grade(collected, Outcome.PASSED, reason if collected.visible else "")
    if again.outcome is Outcome.PASSED:
        return replace(check_grade(collected, Outcome.BLOCKED, reason), carried=True)
    if again.problem and again.problem.kind == "unsuited":
        return _unsuited(before, again.problem, waits_for) if waits_for else graded(*before)
    return graded(*after)


def _unsuited(before: Found, problem: Problem, waits_for: str) -> CheckGrade:
    """Return the grade of a check in which no correct exercise can stand in for a wrong one.

    The reason may contain inputs, so that of a hidden check is not said.
    """
    grade = blocked(*before, waits_for)
    if grade.outcome is not Outcome.BLOCKED or not grade.visible:
        return grade
    reason = wording.unsuited(problem)
    return replace(grade, message=f"{grade.message} {reason}", unsuited=reason)


def check_grade(
    collected: Collected, outcome: Outcome, message: str, printed: str = "", category: str = ""
) -> CheckGrade:
    """Return the grade of a check with a given outcome."""
    check = collected.check
    return CheckGrade(
        collected.name,
        check.title,
        outcome,
        check.points,
        collected.visible,
        message,
        printed,
        category=category,
    )
