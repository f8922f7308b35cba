"""Examine the exercises of one submission: ask every check, decide what became of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from autograder import course
from autograder.channel import (
    Course,
    Layout,
    MistakenSide,
    Problem,
    SubmissionSide,
    Trouble,
    layouts,
)
from autograder.comparison import Draw, Wrong
from autograder.comparison.example import Example, smallest
from autograder.exercise import Exercise
from autograder.grading import wording
from autograder.grading.collect import Checks, Collected
from autograder.grading.grade import CheckGrade, ExerciseGrade, Outcome
from autograder.grading.references import Reference
from autograder.sandbox import Limits, Printed, SandboxFailed

MISSING = frozenset({"absent", "unwritten"})
FATAL = frozenset({"timeout", "killed", "crashed", "left"})  # not worth a second time


@dataclass
class Finding:
    """What running a check on a submission came to. category: a fixed phrase."""

    outcome: Outcome
    message: str = ""
    category: str = ""
    problem: Problem | None = None
    notes: tuple[str, ...] = ()
    course: Course | None = None  # through which the check was put


class Examination:
    """The exercises of one submission, each examined once, when it is first asked for."""

    def __init__(
        self,
        checks: Checks,
        reference: Callable[[str], Reference],
        side: SubmissionSide | MistakenSide,
        limits: Limits,
    ) -> None:
        self._checks = checks
        self._reference = reference
        self._side = side
        self._limits = limits
        self._layouts: dict[str, Layout] = {}
        self._graded: dict[str, ExerciseGrade] = {}
        self.findings: dict[str, list[tuple[Collected, Finding]]] = {}  # by exercise

    def of(self, exercise: Exercise) -> ExerciseGrade:
        """The grade of an exercise, in the light of those it needs."""
        if exercise.name not in self._graded:
            self._graded[exercise.name] = self._blocked_or_not(exercise, self._examine(exercise))
        return self._graded[exercise.name]

    def example(self, exercise: Exercise) -> Example | None:
        """The smallest example of what is wrong with an exercise that has been examined.

        There is none where it was stopped, or only hidden checks fail. It costs a question or two.
        """
        trial = self._checks.trial(exercise)
        found = self.findings[exercise.name]
        visible = any(c.visible and f.outcome is Outcome.FAILED for c, f in found)
        stopped = any(f.problem and f.problem.kind in MISSING | FATAL for _, f in found)
        if trial is None or not visible or stopped:
            return None
        self._side.printed = Printed()
        submission = self._side.course(self._layouts.get(exercise.name))
        home = self._checks.home(exercise)
        example = smallest(trial, submission, self._reference(home).course())
        if example is None:
            return None
        said = tuple(wording.plain(text) for text in example.said)
        return replace(example, said=said, names=course.inputs(home, exercise.name))

    def _examine(self, exercise: Exercise) -> list[tuple[Collected, Finding, Printed]]:
        found: list[tuple[Collected, Finding, Printed]] = []
        verdict: Finding | None = None  # when one check has said all there is to say
        for collected in self._checks.of(exercise):
            self._side.printed = Printed()
            finding = verdict or self.ask(exercise, collected)
            found.append((collected, finding, self._side.printed))
            if finding.problem and verdict is None:
                verdict = _verdict(exercise, finding)
        self.findings[exercise.name] = [(collected, finding) for collected, finding, _ in found]
        return found

    def ask(self, exercise: Exercise, collected: Collected) -> Finding:
        """Run a check; where parameters have other names, in each layout that could be meant."""
        finding = self._run(collected, self._layouts.get(exercise.name))
        problem = finding.problem
        if exercise.name in self._layouts or not (problem and problem.kind == "names"):
            return finding
        for layout in layouts(problem.want or {}, problem.have or {}):
            again = self._run(collected, layout)
            if again.outcome is Outcome.PASSED:
                self._layouts[exercise.name] = layout
                return again
        return finding

    def _run(self, collected: Collected, layout: Layout | None) -> Finding:
        seed = collected.check.exercise.name  # one for all visible checks: what differs is the same
        if not collected.visible:
            seed = f"{collected.name} {course.secret()}"
        submission = self._side.course(layout)
        finding = self._put(collected, submission, Draw(seed))
        finding.course = submission
        return finding

    def _put(self, collected: Collected, submission: Course, draw: Draw) -> Finding:
        try:
            reference = self._reference(collected.assignment).course()
            collected.run(submission=submission, reference=reference, draw=draw)
        except Wrong as wrong:
            return Finding(Outcome.FAILED, str(wrong), wrong.category)
        except Trouble as trouble:
            return self._troubled(collected.check.exercise, trouble.problem)
        except SandboxFailed:
            raise
        except Exception as error:
            if isinstance(error, AssertionError) and collected.is_own(error):
                return Finding(
                    Outcome.FAILED,
                    f"It does not hold: {str(error) or 'a bare assertion'}.",
                    "wrong values",
                )
            return Finding(Outcome.ERROR, f"{type(error).__name__}: {error}", "grader's fault")
        return Finding(Outcome.PASSED, notes=tuple(submission.notes))

    def _troubled(self, exercise: Exercise, problem: Problem) -> Finding:
        said = wording.sentence(problem, self._limits)
        category = wording.category(problem)
        loaded = self._side.load()
        if problem.kind == "absent" and loaded.problem:
            stopped = wording.sentence(loaded.problem, self._limits)
            return Finding(Outcome.FAILED, f"Not reached. {stopped}", category, problem)
        if problem.kind in MISSING:
            return Finding(Outcome.MISSING, said, category, problem)
        lines = wording.traceback(problem)
        return Finding(Outcome.FAILED, "\n".join([said, *lines]), category, problem)

    def _blocked_or_not(
        self, exercise: Exercise, found: list[tuple[Collected, Finding, Printed]]
    ) -> ExerciseGrade:
        """What fails for want of an exercise that is not right yet is blocked, not wrong."""
        waits_for = ""
        if any(f.outcome in (Outcome.FAILED, Outcome.MISSING) for _, f, _ in found):
            waits_for = self._waits_for(exercise, [f.problem for _, f, _ in found if f.problem])
        checks = []
        for collected, finding, printed in found:
            if waits_for and finding.outcome in (Outcome.FAILED, Outcome.MISSING):
                finding = replace(
                    finding, outcome=Outcome.BLOCKED, message=f"Waits for {waits_for}."
                )
            checks.append(_graded(collected, finding, printed))
        return ExerciseGrade(exercise.name, tuple(checks), waits_for)

    def _waits_for(self, exercise: Exercise, problems: list[Problem]) -> str:
        """The exercise that has to be mended first, or nothing."""
        written = {p.where for p in problems if p.kind == "unwritten"}
        if exercise.name in written or any(p.kind == "absent" for p in problems):
            return ""
        home = self._checks.home(exercise)
        for need in exercise.needs:
            graded = self.of(need)
            if graded.outcome is Outcome.BLOCKED and self._checks.home(need) == home:
                return graded.waits_for
            if graded.outcome not in (Outcome.PASSED, Outcome.ERROR):
                return need.name
        return ""


def _verdict(exercise: Exercise, finding: Finding) -> Finding | None:
    """What a problem means for the exercise's other checks, where they need not be asked."""
    problem = finding.problem
    assert problem is not None
    if problem.kind == "absent":
        return finding
    if problem.kind in FATAL:
        said = f"Not asked: an earlier check of {exercise.name} {finding.category}."
        return Finding(Outcome.FAILED, said, finding.category, problem)
    return None


def _graded(collected: Collected, finding: Finding, printed: Printed) -> CheckGrade:
    if finding.outcome in (Outcome.PASSED, Outcome.ERROR, Outcome.BLOCKED):
        message = finding.message or " ".join(finding.notes)
        return check_grade(collected, finding.outcome, message)
    if not collected.visible:
        return check_grade(collected, finding.outcome, wording.capital(f"{finding.category}."))
    text = wording.plain((printed.stdout + printed.stderr).decode(errors="replace"))
    return check_grade(collected, finding.outcome, wording.plain(finding.message), text)


def check_grade(
    collected: Collected, outcome: Outcome, message: str, printed: str = ""
) -> CheckGrade:
    """The grade of a check with a given outcome."""
    check = collected.check
    return CheckGrade(
        collected.name, check.title, outcome, check.points, collected.visible, message, printed
    )
