"""Grade a submission: run every check, decide the outcomes, name the mistakes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import torch

from autograder import course
from autograder.checking.collect import Checks
from autograder.checking.nearest_names import nearest
from autograder.client import (
    STOPS,
    Loaded,
    Session,
    SubmissionImplementation,
    Text,
    loading,
)
from autograder.client.loading import Reference
from autograder.course.exercise import Exercise
from autograder.cpu_limit import OutOfTime, cpu_limit
from autograder.grading import wording
from autograder.grading.check_grades import check_grade
from autograder.grading.examination import Examination
from autograder.grading.expected_questions import ExpectedQuestions
from autograder.grading.fitting import fit
from autograder.grading.found_right import FoundRight
from autograder.grading.grade import ExerciseGrade, Grade, Outcome
from autograder.grading.interfaces import Diagnosing, Locating
from autograder.sandbox import Sandbox, SandboxFailed
from autograder.submissions.finding import Submission

SECONDS = 60.0  # of CPU time of the grader itself for one submission; most take one
AGAIN = "Your code is not at fault: grade it again."
BY_HAND = "Others take about one second, so a person must look at this one."
LIKENESS = 0.9  # of a name to a missing exercise's: at most one letter of ten is wrong


class Grader:
    """Grades one submission after the other with the same checks and references.

    wanted: names of exercises, none for all. diagnosing: makes what names the mistakes; without it
    grades have no diagnoses and no examples. locating: makes what finds the lines of mistakes.
    """

    def __init__(
        self,
        checks: Checks,
        sandbox: Sandbox,
        wanted: frozenset[str],
        diagnosing: Diagnosing | None = None,
        locating: Locating | None = None,
        found_right: FoundRight | None = None,
        early: Callable[[Grade], None] | None = None,
    ) -> None:
        torch.set_num_threads(sandbox.limits.threads)
        self.checks = checks
        self.sandbox = sandbox
        self.wanted = wanted
        self._diagnosing = diagnosing
        self._locating = locating
        self._found_right = found_right
        self._early = early
        self._home = checks.homes()
        checks.assert_known(wanted)
        self._begin()

    def _begin(self) -> None:
        """Begin with nothing in memory of references and known mistakes.

        Something that was stopped may have left it half changed.
        """
        self._references: dict[str, Reference] = {}
        self._expected_questions = ExpectedQuestions(self.checks, self.reference)
        self.namer = self._diagnosing(self.checks, self.reference) if self._diagnosing else None

    def grade(self, submission: Submission, session: Session | None = None) -> Grade:
        """Grade one submission; return a Grade whatever is wrong with it.

        session: the one that it shares with other submissions of the same person. If the sandbox
        fails, it is tried once more.
        """
        own = session or Session(self.sandbox)
        try:
            with cpu_limit(SECONDS):
                if submission.other:
                    return self._better(own, submission, submission.other)
                if submission.has_own_modules:  # of names that the others may have too
                    return self._in_own_child(own, submission)
                return self._of_one(submission, own)
        except OutOfTime:
            own.clear()
            self._begin()
            text = f"Judging its answers took more than {SECONDS:g} s of the grader's own CPU time."
            return self.needs_staff(submission, text, BY_HAND)
        except Exception:
            self._begin()
            raise
        finally:
            if session is None:
                own.clear()

    def _of_one(self, submission: Submission, own: Session, is_whole: bool = False) -> Grade:
        """Grade a module or a notebook, without the other form that was also handed in.

        is_whole: grade all exercises, not only the wanted ones.
        """
        assignment = submission.assignment or self._of_wanted()
        if submission.problem:
            return self._unreadable(submission, assignment, submission.problem)
        try:
            try:
                found = self._examined(submission, assignment, own, is_whole)
            except SandboxFailed:
                own.clear()
                found = self._examined(submission, assignment, own, is_whole)
        except SandboxFailed as failure:
            own.clear()
            return self.needs_staff(submission, f"The sandbox failed twice: {failure}.")
        return self._with_other_imports(found, submission, own, is_whole)

    def _with_other_imports(
        self, found: Grade, submission: Submission, own: Session, is_whole: bool
    ) -> Grade:
        """Return a grade, or a better one with the other form of earlier work.

        That is tried if an exercise waits for the first form, or nothing could be graded with it.
        """
        awaited = {self._home.get(one.waits_for) for one in found.exercises}
        for assignment, instead in submission.instead.items():
            if assignment in awaited or found.status == "unreadable":
                other = self._in_own_child(own, instead, is_whole)
                found = max(found, other, key=_rank)
        return found

    def _better(self, session: Session, *both: Submission) -> Grade:
        """Return the better grade of a module and a notebook; its message mentions the other one.

        Each is graded in a child of its own; both share the time budget of one session. All
        exercises are, so that the same one counts whichever are wanted.
        """
        grades = [self._in_own_child(session, replace(one, other=None), True) for one in both]
        if any(one.status == "needs_staff" for one in grades):
            return next(one for one in grades if one.status == "needs_staff")
        best = max(grades, key=_rank)
        [other] = [one for one in grades if one is not best]
        exercises = tuple(one for one in best.exercises if self._is_wanted(one.name))
        return fit(replace(best, exercises=exercises, message=wording.both(best, other)))

    def _in_own_child(
        self, session: Session, submission: Submission, is_whole: bool = False
    ) -> Grade:
        """Grade a submission in a child of its own, in the time that remains in a session."""
        own = Session(self.sandbox, session)
        try:
            return self._of_one(submission, own, is_whole)
        finally:
            own.clear()

    def _examined(
        self, submission: Submission, assignment: str | None, session: Session, is_whole: bool
    ) -> Grade:
        """Grade a submission that could be read, see `_of_one`. Raises SandboxFailed."""
        texts, homes, folders = submission.texts, submission.homes, submission.folders
        text = Text(submission.stem, texts, course.assignments(), homes, folders)
        if submission.is_slow:
            text = replace(text, needed=tuple(course.exercises()))
        implementation = SubmissionImplementation(session, text)
        loaded = implementation.load()
        assignment = assignment or self._of_names(loaded.names)
        if assignment is None:
            return self._unreadable(submission, None, wording.no_exercise(submission.path, loaded))
        message = self._remark(submission, assignment, loaded)
        chosen = [*self.checks.exercises(assignment)] if is_whole else self._chosen(assignment)
        defined = loaded.written & self._home.keys()
        written = defined - loaded.deleted
        is_concerned = not defined or any(one.name in written for one in chosen)
        if loaded.problem and not loaded.names & self._home.keys() and is_concerned:
            return self._unreadable(submission, assignment, message, written)
        message = " ".join(filter(None, [message, wording.without(loaded.missing)]))
        implementation.ask_ahead(self._expected_questions.of(chosen))
        limits, known = self.sandbox.limits, self._found_right
        examination = Examination(self.checks, self.reference, implementation, limits, known)

        def tell(exercise: ExerciseGrade) -> None:
            if self._early:
                self._early(self._grade_of(submission, assignment, "graded", (exercise,), message))

        text = implementation.text  # without what takes too long
        graded = tuple(self._graded(examination, one, text, session, tell) for one in chosen)
        awaited = {self._home[one.waits_for]: one.waits_for for one in graded if one.waits_for}
        for earlier in awaited.keys() - {assignment, *texts}:
            said = wording.not_beside(awaited[earlier], earlier, submission.path.name)
            message = f"{message} {said}".strip()
        broken = any(exercise.outcome is Outcome.ERROR for exercise in graded)
        status = "needs_staff" if broken else "graded"
        return self._grade_of(submission, assignment, status, graded, message)

    def _graded(
        self,
        examination: Examination,
        exercise: Exercise,
        text: Text,
        session: Session,
        tell: Callable[[ExerciseGrade], None],
    ) -> ExerciseGrade:
        """Return the grade of an exercise, with its known mistakes, their line and an example.

        tell: called with the grade before the example is sought.
        """
        graded = examination.of(exercise)
        has_failed = graded.outcome is Outcome.FAILED
        if not has_failed or self.namer is None or not self._is_wanted(exercise.name):
            return graded
        examination.mark_random(exercise)
        runs = examination.runs[exercise.name]
        named = self.namer.of(exercise, runs)
        alike = "" if named else self.namer.alike(exercise, runs)
        graded = replace(graded, diagnoses=named, alike=alike)
        tell(graded)
        graded = replace(graded, example=examination.example(exercise))
        if self._locating is None or not named or any(one.seen for one in named):
            return graded
        finder = self._locating(self.checks, self.reference, self.sandbox)
        return finder.add(graded, exercise, text, session)

    def reference(self, assignment: str) -> Reference:
        """Return the reference of an assignment, which is loaded once."""
        if assignment not in self._references:
            self._references[assignment] = loading.load(assignment)
        return self._references[assignment]

    def _chosen(self, assignment: str) -> list[Exercise]:
        return [e for e in self.checks.exercises(assignment) if self._is_wanted(e.name)]

    def _is_wanted(self, exercise: str) -> bool:
        return not self.wanted or exercise in self.wanted

    def _of_wanted(self) -> str | None:
        homes = {self._home[name] for name in self.wanted}
        return homes.pop() if len(homes) == 1 else None

    def _of_names(self, names: frozenset[str]) -> str | None:
        """Return the last assignment that has one of these names; earlier ones may be copied in."""
        homes = [home for name, home in self._home.items() if name in names]
        return homes[-1] if homes else None

    def _remark(self, submission: Submission, assignment: str, loaded: Loaded) -> str:
        """Return the message about a module as a whole, or ""."""
        own = {exercise.name for exercise in self.checks.exercises(assignment)}
        said = wording.sentence(loaded.problem, self.sandbox.limits) if loaded.problem else ""
        if loaded.problem and loaded.names & own:
            notebook = submission.path.suffix.lower() != ".py"
            rest = "All other cells were" if notebook else "All other lines were"
            if loaded.problem.kind in STOPS and not notebook:
                rest = "The code above that line was"
            elif loaded.ran_needed:
                rest = "All that the exercises need was"
            elif loaded.problem.kind == "syntax":
                rest = "All statements that Python can read were"
            return f"{said} {rest} graded."
        written = (loaded.written if loaded.problem else loaded.names) & self._home.keys()
        said = " ".join([said, *self._misspelt(own - written, loaded)])
        others = {self._home[name] for name in written} - {assignment}
        if others and not written & own:
            said += (
                f" {submission.path} defines exercises of {' and '.join(sorted(others))}, none of "
                f"{assignment}. Was another file meant?"
            )
        return said.strip()

    def _misspelt(self, missing: set[str], loaded: Loaded) -> Iterator[str]:
        """Yield a question for each missing exercise if the module defines a similar name."""
        for exercise in sorted(missing):
            if close := nearest(exercise, loaded.names - self._home.keys(), LIKENESS):
                yield f"It defines {close}: is {exercise} meant?"

    def _unreadable(
        self,
        submission: Submission,
        assignment: str | None,
        message: str,
        written: frozenset[str] = frozenset(),
    ) -> Grade:
        """Return the grade of a submission that cannot be run: every check fails.

        written: the exercises that its text defines, if that is known; the others are missing.
        """
        graded = []
        for exercise in self._chosen(assignment) if assignment else []:
            is_there = not written or exercise.name in written
            outcome = Outcome.FAILED if is_there else Outcome.MISSING
            found = (check_grade(one, outcome, message) for one in self.checks.of(exercise))
            graded.append(ExerciseGrade(exercise.name, tuple(found)))
        return self._grade_of(submission, assignment, "unreadable", tuple(graded), message)

    def needs_staff(self, submission: Submission, reason: str, remedy: str = AGAIN) -> Grade:
        """Return the grade of a submission that a person must look at."""
        assignment = submission.assignment or self._of_wanted()
        return self._grade_of(submission, assignment, "needs_staff", (), f"{reason} {remedy}")

    def _grade_of(
        self,
        submission: Submission,
        assignment: str | None,
        status: str,
        graded: tuple[ExerciseGrade, ...],
        message: str,
    ) -> Grade:
        """Return the grade, its texts made printable and cut to their limits."""
        path, locked = str(submission.path), self.sandbox.locked
        return fit(Grade(submission.name, path, assignment, status, graded, message, locked))


def _rank(grade: Grade) -> tuple[float, bool, int]:
    """Return what is larger for the better one of two grades."""
    passed = sum(one.outcome is Outcome.PASSED for one in grade.exercises)
    return grade.points, grade.status == "graded", passed
