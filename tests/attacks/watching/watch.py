"""Grade an attack, and an honest submission after it, and say what was not as it has to be."""

from __future__ import annotations

import gc
import time
from dataclasses import dataclass, replace
from pathlib import Path
from unittest import mock

from attacks.watching.attack import Attack
from attacks.watching.canaries import Canaries
from attacks.watching.overhearing import Overheard
from attacks.watching.traces import remove_files, traces, traces_in_peace
from autograder import course
from autograder.checking.collect import collect
from autograder.client import LiveReference, loading
from autograder.course import fingerprint
from autograder.diagnosis.naming import namer
from autograder.grading.grade import Grade
from autograder.grading.grader import Grader
from autograder.report.as_json import document
from autograder.report.terminal import Terminal
from autograder.sandbox import Limits, Sandbox
from autograder.submissions.finding import Submission, find

LIMITS = Limits(seconds=2.0, grace=1.0)
HURRIED = Limits(seconds=0.5, grace=0.25, budget=2.0)  # for those of the kinds below
IN_A_HURRY = frozenset({"budget", "tell"})
MORE = 3.0  # seconds beyond the budget: one last question, and what the grader itself computes
SECRETS = ("one", "another")  # of courses whose hidden checks draw different numbers
BREACH = b"BREACH"
WRONG = """
import torch
from torch import nn
class {}(nn.Module):
    def __init__(self, *arguments):
        super().__init__()
    def forward(self, *inputs):
        return torch.zeros(1)
"""


@dataclass(frozen=True)
class Result:
    """What came of an attack.

    gained: points beyond those that it has by right. issues: what must not be, in words; there
    are none if all is well.
    """

    attack: Attack
    gained: float
    seconds: float
    issues: tuple[str, ...]


class Watch:
    """Grades attacks in one sandbox, one after the other."""

    memory = 0  # bytes in this process, when the last grader of any watch had learnt what it keeps

    def __init__(self, sandbox: Sandbox, canaries: Canaries) -> None:
        self._sandbox = Overheard(sandbox)
        self._canaries = canaries
        self._checks = collect()
        gc.freeze()  # as for a class: what is there before any submission is not looked through
        self._graders: dict[tuple[str, str], Grader] = {}
        self._honest: dict[str, Submission] = {}

    def result(self, attack: Attack) -> Result:
        """Grade an attack. What the grader itself raises is an issue like any other."""
        if attack.kind != "tell":
            return self._result(attack)
        results, shown = [], []
        for secret in SECRETS:
            with mock.patch.object(course, "secret", lambda secret=secret: secret):
                results.append(self._result(attack, secret))
            shown.append(self._shown)
        issues = results[0].issues + results[1].issues
        if shown[0] != shown[1]:
            issues += ("told what a hidden check asks",)
        gained, seconds = max(r.gained for r in results), max(r.seconds for r in results)
        return Result(attack, gained, seconds, issues)

    def _result(self, attack: Attack, secret: str = "") -> Result:
        grader, assignment = self._grader(attack.exercise, secret)
        honest = self._honest[attack.exercise]
        before = replace(traces(), memory=Watch.memory)
        self._sandbox.heard.clear()
        waited, start = self._sandbox.waited, time.monotonic()
        self._shown: list[tuple[str, str, str]] = []
        gained, issues = 0.0, []
        try:
            grade = grader.grade(find(attack.path, assignment)[0])
            gained = grade.points - attack.worth
            issues = self._of_grade(grade)
        except Exception as error:
            issues = [f"the grader raised {type(error).__name__}: {error}"]
        seconds = time.monotonic() - start - (self._sandbox.waited - waited)
        issues += self._of_sound(b"\n".join(self._sandbox.heard))
        self._sandbox.heard.clear()
        if gained > 0:
            issues.append(f"gained {gained:g} points")
        if seconds > self._sandbox.limits.budget + MORE:
            issues.append(f"took {seconds:.0f} s")
        issues += self._of_honest(grader, honest)
        after = traces_in_peace(before)
        issues += after.left_since(before)
        remove_files(after.files - before.files)
        return Result(attack, gained, seconds, tuple(issues))

    def _of_grade(self, grade: Grade) -> list[str]:
        """What is wrong with what is said about an attack, and shown to a student."""
        issues = []
        if grade.status == "needs_staff":
            issues.append(f"needs staff: {grade.message or 'a check broke'}")
        shown = "\n".join(Terminal().report([grade]))
        if strange := {c for c in shown if not c.isprintable() and c != "\n"}:
            issues.append(f"shows characters that do not print: {''.join(strange)!a}")
        self._shown = [
            (check.name, check.message, check.printed)
            for exercise in grade.exercises
            for check in exercise.checks
            if check.visible
        ]
        hidden = [c for exercise in grade.exercises for c in exercise.checks if not c.visible]
        if any("BREACH" in check.message + check.printed for check in hidden):
            issues.append("shows what it says in a hidden check")
        written = document([grade], locked=True, course=fingerprint())
        return issues + self._canary_issues((shown + written).encode())

    def _of_sound(self, heard: bytes) -> list[str]:
        """What is wrong with what came out of its process."""
        lines = dict.fromkeys(line for line in heard.splitlines() if line.startswith(BREACH))
        breaches = [line.decode(errors="replace")[:160] for line in lines]
        return breaches + self._canary_issues(heard)

    def _canary_issues(self, output: bytes) -> list[str]:
        return [f"found the secret in {place}" for place in self._canaries.seen(output)]

    def _of_honest(self, grader: Grader, honest: Submission) -> list[str]:
        grade = grader.grade(honest)
        if grade.points == grade.max_points and grade.status == "graded":
            return []
        return [f"an honest submission after it got {grade.points:g}/{grade.max_points:g}"]

    def _grader(self, exercise: str, secret: str) -> tuple[Grader, str]:
        """The grader of an exercise, which has learnt what it will remember; and its assignment.

        secret: of the course, if it is not the usual one; a grader keeps what that draws.
        """
        assignment = self._home(exercise)
        if (exercise, secret) not in self._graders:
            grader = Grader(self._checks, self._sandbox, frozenset([exercise]), diagnosing=namer)
            reference = grader.reference(assignment)
            assert isinstance(reference, LiveReference)
            self._canaries.put_into(reference.namespace, f"the reference of {assignment}")
            path = Path(f"{assignment}.py")
            right, wrong = loading.text(assignment).texts, {assignment: WRONG.format(exercise)}
            for texts in (wrong, right):
                self._honest[exercise] = Submission("honest", path, assignment, texts)
                grader.grade(self._honest[exercise])
            self._graders[exercise, secret] = grader
            Watch.memory = traces().memory
        return self._graders[exercise, secret], assignment

    def _home(self, exercise: str) -> str:
        return next(
            c.assignment for c in self._checks.collected if c.check.exercise.name == exercise
        )
