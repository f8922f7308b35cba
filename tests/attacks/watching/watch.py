"""Grade an attack, and an honest submission after it, and say what was not as it has to be."""

from __future__ import annotations

import gc
import time
from dataclasses import dataclass, replace
from pathlib import Path

from attacks.watching.attack import Attack
from attacks.watching.canaries import Canaries
from attacks.watching.overhearing import Overheard
from attacks.watching.traces import remove_files, traces, traces_in_peace
from autograder.channel import ReferenceSide
from autograder.course import CHECKS, fingerprint
from autograder.feedback.as_json import document
from autograder.feedback.terminal import Terminal
from autograder.grading import references
from autograder.grading.collect import collect
from autograder.grading.grade import Grade
from autograder.grading.grader import Grader
from autograder.grading.submissions import Submission, find
from autograder.sandbox import Limits, Sandbox

LIMITS = Limits(seconds=2.0, grace=1.0)
MOST_SECONDS = 180.0  # for one submission: wall limits are many times those of CPU time
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

    def __init__(self, sandbox: Sandbox, canaries: Canaries) -> None:
        self._sandbox = Overheard(sandbox)
        self._canaries = canaries
        self._checks = collect(CHECKS)
        gc.freeze()  # as for a class: what is there before any submission is not looked through
        self._graders: dict[str, Grader] = {}
        self._memory = 0  # bytes, before the first attack on the exercise that came last
        self._honest: dict[str, Submission] = {}

    def result(self, attack: Attack) -> Result:
        """Grade an attack. What the grader itself raises is an issue like any other."""
        grader, assignment = self._grader(attack.exercise)
        honest = self._honest[attack.exercise]
        before = replace(traces(), memory=self._memory)
        self._sandbox.heard.clear()
        start = time.monotonic()
        gained, issues = 0.0, []
        try:
            grade = grader.grade(find(attack.path, assignment)[0])
            gained = grade.points - attack.worth
            issues = self._of_grade(grade)
        except Exception as error:
            issues = [f"the grader raised {type(error).__name__}: {error}"]
        seconds = time.monotonic() - start
        issues += self._of_sound(b"\n".join(self._sandbox.heard))
        self._sandbox.heard.clear()
        if gained > 0:
            issues.append(f"gained {gained:g} points")
        if seconds > MOST_SECONDS:
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
        shown = "\n".join(Terminal(colour=False).report([grade]))
        if strange := {c for c in shown if not c.isprintable() and c != "\n"}:
            issues.append(f"shows characters that do not print: {''.join(strange)!a}")
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

    def _grader(self, exercise: str) -> tuple[Grader, str]:
        """The grader of an exercise, which has learnt what it will remember; and its assignment."""
        assignment = self._home(exercise)
        if exercise not in self._graders:
            grader = Grader(self._checks, self._sandbox, frozenset([exercise]), explains=True)
            reference = grader.reference(assignment)
            assert isinstance(reference, ReferenceSide)
            self._canaries.put_into(reference.namespace, f"the reference of {assignment}")
            path = Path(f"{assignment}.py")
            right, wrong = references.text(assignment).texts, {assignment: WRONG.format(exercise)}
            for texts in (wrong, right):
                self._honest[exercise] = Submission("honest", path, assignment, texts)
                grader.grade(self._honest[exercise])
            self._graders[exercise] = grader
            self._memory = traces().memory
        return self._graders[exercise], assignment

    def _home(self, exercise: str) -> str:
        return next(
            c.assignment for c in self._checks.collected if c.check.exercise.name == exercise
        )
