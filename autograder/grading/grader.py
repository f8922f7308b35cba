"""Grade submissions: ask every check, decide the outcomes, say what is wrong."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable

import torch

from autograder import course
from autograder.channel import Loaded, ReferenceSide, SubmissionSide, Text
from autograder.exercise import Exercise
from autograder.grading import wording
from autograder.grading.collect import Checks, collect
from autograder.grading.examination import Examination, check_grade
from autograder.grading.grade import ExerciseGrade, Grade, Outcome
from autograder.grading.submissions import Submission, read_source
from autograder.sandbox import Sandbox, SandboxFailed


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
    as there is one; where the sandbox or a reference fails, it says so. Raises NoSuchExercise
    and CheckBroken.
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
            examination = Examination(self.checks, self.reference, side, self.sandbox.limits)
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
        said = wording.sentence(loaded.problem, self.sandbox.limits) if loaded.problem else ""
        if loaded.problem and loaded.names & own:
            return f"{said} What stands above that line was graded."
        written = (loaded.written if loaded.problem else loaded.names) & self._home.keys()
        others = {self._home[name] for name in written} - {assignment}
        if others and not written & own:
            said += (
                f" {submission.path} defines exercises of {' and '.join(sorted(others))}, none of "
                f"{assignment}. Was another file meant?"
            )
        return said.strip()

    def _unreadable(self, submission: Submission, assignment: str | None, message: str) -> Grade:
        """A submission of which nothing can be run: every check has failed for that reason."""
        message = wording.plain(message)
        exercises = self._chosen(assignment) if assignment else []
        graded = tuple(
            ExerciseGrade(
                exercise.name,
                tuple(check_grade(c, Outcome.FAILED, message) for c in self.checks.of(exercise)),
            )
            for exercise in exercises
        )
        path = str(submission.path)
        return Grade(submission.name, path, assignment, "unreadable", graded, message)

    def _give_up(self, submission: Submission, assignment: str | None, message: str) -> Grade:
        return Grade(submission.name, str(submission.path), assignment, "needs_staff", (), message)


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
