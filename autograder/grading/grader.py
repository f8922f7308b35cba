"""Grade submissions: ask every check, decide the outcomes, say what is wrong."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

import torch

from autograder import course
from autograder.channel import (
    Layout,
    Loaded,
    Problem,
    ReferenceSide,
    SubmissionSide,
    Text,
    Trouble,
    layouts,
)
from autograder.comparison import Draw, Wrong
from autograder.exercise import Exercise
from autograder.grading import wording
from autograder.grading.collect import Checks, Collected, collect
from autograder.grading.grade import CheckGrade, ExerciseGrade, Grade, Outcome
from autograder.grading.submissions import Submission, read_source
from autograder.sandbox import Printed, Sandbox, SandboxFailed

MISSING = frozenset({"absent", "unwritten"})
FATAL = frozenset({"timeout", "killed", "crashed", "left"})  # not worth a second time


class NoSuchExercise(ValueError):
    """An exercise was asked for that the course does not have."""


def grade(
    submissions: Iterable[Submission],
    sandbox: Sandbox,
    exercises: Iterable[str] = (),
    done: Callable[[Grade], None] = lambda grade: None,
) -> list[Grade]:
    """Grade submissions, one after the other, in one sandbox.

    exercises: names of those to grade; none means all. done is called with each Grade as soon
    as there is one. Raises NoSuchExercise, CheckBroken, ReferenceFailed.
    """
    torch.set_num_threads(1)  # the tensors are tiny
    grader = Grader(collect(course.CHECKS), sandbox, frozenset(exercises))
    gc.freeze()  # torch's thousands of objects need not be looked through again and again
    grades = []
    for submission in submissions:
        grades.append(grader.grade(submission))
        done(grades[-1])
    return grades


class Grader:
    """Grades one submission after the other with the same checks and references."""

    def __init__(self, checks: Checks, sandbox: Sandbox, wanted: frozenset[str]) -> None:
        self.checks = checks
        self.sandbox = sandbox
        self.wanted = wanted
        self.assignments = _in_order(checks)
        self._references: dict[str, ReferenceSide] = {}
        self._home = {
            exercise.name: name for name in self.assignments for exercise in checks.exercises(name)
        }
        for name in sorted(wanted - self._home.keys()):
            raise NoSuchExercise(
                f"There is no exercise {name}. The exercises are: {', '.join(self._home)}."
            )

    def grade(self, submission: Submission) -> Grade:
        """Grade one submission; whatever is wrong with it, there is a Grade."""
        assignment = submission.assignment or self._of_wanted()
        if submission.problem:
            return self._unreadable(submission, assignment, submission.problem)
        text = Text(submission.stem, submission.texts, course.assignments())
        side = SubmissionSide(self.sandbox, text)
        try:
            loaded = side.load()
            assignment = assignment or self._of_names(loaded.names)
            if assignment is None:
                return self._unreadable(submission, None, _no_exercise(submission, loaded))
            message = wording.plain(self._remark(submission, assignment, loaded))
            if loaded.problem and not loaded.names & self._home.keys():
                return self._unreadable(submission, assignment, message)
            examination = _Examination(self, side, loaded)
            graded = tuple(examination.of(exercise) for exercise in self._chosen(assignment))
        except SandboxFailed as failure:
            return self._give_up(submission, assignment, str(failure))
        finally:
            side.end()
        broken = any(exercise.outcome is Outcome.ERROR for exercise in graded)
        status = "needs_staff" if broken else "graded"
        return Grade(submission.name, str(submission.path), assignment, status, graded, message)

    def reference(self, assignment: str) -> ReferenceSide:
        """The reference of an assignment; loaded once."""
        if assignment not in self._references:
            texts = {
                name: read_source(course.SOLUTIONS / f"{name}.py") for name in course.assignments()
            }
            text = Text(assignment, texts, course.assignments())
            self._references[assignment] = ReferenceSide(text)
        return self._references[assignment]

    def home(self, exercise: Exercise) -> str:
        """The assignment to which an exercise belongs."""
        return self._home[exercise.name]

    def _chosen(self, assignment: str) -> list[Exercise]:
        exercises = self.checks.exercises(assignment)
        return [e for e in exercises if not self.wanted or e.name in self.wanted]

    def _of_wanted(self) -> str | None:
        homes = {self._home[name] for name in self.wanted}
        return homes.pop() if len(homes) == 1 else None

    def _of_names(self, names: frozenset[str]) -> str | None:
        """The last assignment of which a module defines an exercise: it may bring earlier ones."""
        homes = {self._home[name] for name in names & self._home.keys()}
        return next((name for name in reversed(self.assignments) if name in homes), None)

    def _remark(self, submission: Submission, assignment: str, loaded: Loaded) -> str:
        """What there is to say about a module as a whole."""
        own = {exercise.name for exercise in self.checks.exercises(assignment)}
        if loaded.problem:
            said = wording.sentence(loaded.problem, self.sandbox.limits)
            rest = " What stands above that line was graded." if loaded.names & own else ""
            return said + rest
        others = {self._home[name] for name in loaded.names & self._home.keys()} - {assignment}
        if not loaded.names & own and others:
            return (
                f"{submission.path} defines exercises of {' and '.join(sorted(others))}, none of "
                f"{assignment}. Was another file meant?"
            )
        return ""

    def _unreadable(self, submission: Submission, assignment: str | None, message: str) -> Grade:
        """A submission of which nothing can be run: every check has failed for that reason."""
        exercises = self._chosen(assignment) if assignment else []
        graded = tuple(
            ExerciseGrade(
                exercise.name,
                tuple(_check_grade(c, Outcome.FAILED, message) for c in self.checks.of(exercise)),
            )
            for exercise in exercises
        )
        path = str(submission.path)
        return Grade(submission.name, path, assignment, "unreadable", graded, message)

    def _give_up(self, submission: Submission, assignment: str | None, message: str) -> Grade:
        return Grade(submission.name, str(submission.path), assignment, "needs_staff", (), message)


@dataclass
class _Finding:
    """What running a check on a submission came to."""

    outcome: Outcome
    message: str = ""
    category: str = ""
    problem: Problem | None = None
    notes: tuple[str, ...] = ()


class _Examination:
    """The exercises of one submission, each examined once, when it is first asked for."""

    def __init__(self, grader: Grader, side: SubmissionSide, loaded: Loaded) -> None:
        self._grader = grader
        self._side = side
        self._loaded = loaded
        self._layouts: dict[str, Layout] = {}
        self._graded: dict[str, ExerciseGrade] = {}

    def of(self, exercise: Exercise) -> ExerciseGrade:
        """The grade of an exercise, in the light of those it needs."""
        if exercise.name not in self._graded:
            self._graded[exercise.name] = self._blocked_or_not(exercise, self._examine(exercise))
        return self._graded[exercise.name]

    def _examine(self, exercise: Exercise) -> list[tuple[Collected, _Finding, Printed]]:
        found: list[tuple[Collected, _Finding, Printed]] = []
        verdict: _Finding | None = None  # when one check has said all there is to say
        for collected in self._grader.checks.of(exercise):
            self._side.printed = Printed()
            finding = verdict or self._ask(exercise, collected)
            found.append((collected, finding, self._side.printed))
            if finding.problem and verdict is None:
                verdict = _verdict(exercise, finding)
        return found

    def _ask(self, exercise: Exercise, collected: Collected) -> _Finding:
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

    def _run(self, collected: Collected, layout: Layout | None) -> _Finding:
        grader = self._grader
        seed = collected.check.exercise.name  # one for all visible checks: what differs is the same
        if not collected.visible:
            seed = f"{collected.name} {course.secret()}"
        submission = self._side.course(layout)
        try:
            reference = grader.reference(collected.assignment).course()
            collected.run(submission=submission, reference=reference, draw=Draw(seed))
        except Wrong as wrong:
            return _Finding(Outcome.FAILED, str(wrong), wrong.category)
        except Trouble as trouble:
            return self._troubled(collected.check.exercise, trouble.problem)
        except SandboxFailed:
            raise
        except Exception as error:
            if isinstance(error, AssertionError) and collected.is_own(error):
                return _Finding(Outcome.FAILED, f"It does not hold: {error}", "wrong values")
            return _Finding(Outcome.ERROR, f"{type(error).__name__}: {error}", "grader's fault")
        return _Finding(Outcome.PASSED, notes=tuple(submission.notes))

    def _troubled(self, exercise: Exercise, problem: Problem) -> _Finding:
        said = wording.sentence(problem, self._grader.sandbox.limits)
        category = wording.category(problem)
        if problem.kind == "absent" and self._loaded.problem:
            stopped = wording.sentence(self._loaded.problem, self._grader.sandbox.limits)
            return _Finding(Outcome.FAILED, f"Not reached. {stopped}", category, problem)
        if problem.kind in MISSING:
            return _Finding(Outcome.MISSING, said, category, problem)
        lines = wording.traceback(problem)
        return _Finding(Outcome.FAILED, "\n".join([said, *lines]), category, problem)

    def _blocked_or_not(
        self, exercise: Exercise, found: list[tuple[Collected, _Finding, Printed]]
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
        for need in exercise.needs:
            outcome = self.of(need).outcome
            if outcome is Outcome.BLOCKED and self._grader.home(need) == self._grader.home(
                exercise
            ):
                return self.of(need).waits_for
            if outcome not in (Outcome.PASSED, Outcome.ERROR):
                return need.name
        return ""


def _verdict(exercise: Exercise, finding: _Finding) -> _Finding | None:
    """What a problem means for the exercise's other checks, where they need not be asked."""
    problem = finding.problem
    assert problem is not None
    if problem.kind == "absent":
        return finding
    if problem.kind in FATAL:
        said = f"Not asked: an earlier check of {exercise.name} {finding.category}."
        return _Finding(Outcome.FAILED, said, finding.category, problem)
    return None


def _graded(collected: Collected, finding: _Finding, printed: Printed) -> CheckGrade:
    if finding.outcome in (Outcome.PASSED, Outcome.ERROR, Outcome.BLOCKED):
        message = finding.message or " ".join(finding.notes)
        return _check_grade(collected, finding.outcome, message)
    if not collected.visible:
        return _check_grade(collected, finding.outcome, wording.capital(f"{finding.category}."))
    text = wording.plain((printed.stdout + printed.stderr).decode(errors="replace"))
    return _check_grade(collected, finding.outcome, wording.plain(finding.message), text)


def _check_grade(
    collected: Collected, outcome: Outcome, message: str, printed: str = ""
) -> CheckGrade:
    check = collected.check
    return CheckGrade(
        collected.name, check.title, outcome, check.points, collected.visible, message, printed
    )


def _no_exercise(submission: Submission, loaded: Loaded) -> str:
    stopped = f" {loaded.problem.type}: {loaded.problem.text}." if loaded.problem else ""
    return (
        f"{submission.path} defines none of the exercises, so it is not clear which assignment "
        f"it is.{stopped} Name it after the assignment, or say which with --assignment."
    )


def _in_order(checks: Checks) -> list[str]:
    """The assignments, each after those whose exercises it needs."""
    homes = {c.check.exercise.name: c.assignment for c in checks.collected}
    needs: dict[str, set[str]] = {}
    for c in checks.collected:
        found = needs.setdefault(c.assignment, set())
        found |= {homes[need.name] for need in c.check.exercise.needs} - {c.assignment}
    ordered: list[str] = []
    while len(ordered) < len(needs):
        ready = [name for name in needs if name not in ordered and needs[name] <= {*ordered}]
        ordered += sorted(ready) or sorted(needs.keys() - {*ordered})
    return ordered
