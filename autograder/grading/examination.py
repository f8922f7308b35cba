"""Examine the exercises of one submission: run every check and decide its outcome."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from autograder import course
from autograder.checking import Draw, Wrong
from autograder.checking.agreement import SINGLE_PRECISION
from autograder.checking.collect import Checks, Collected
from autograder.checking.example import Example, expected_answers, smallest
from autograder.checking.rebuilding import rebuilt
from autograder.checking.single import RANDOM, Repeats, repeats
from autograder.client import (
    LocalImplementation,
    Problem,
    StepFailed,
    SubmissionImplementation,
    Text,
)
from autograder.client.loading import Reference
from autograder.course.exercise import Exercise
from autograder.grading import check_grades
from autograder.grading.check_grades import FATAL, Found
from autograder.grading.found_right import FoundRight
from autograder.grading.grade import ExerciseGrade, Outcome
from autograder.grading.runner import MISSING, UNAVAILABLE, CheckRun, CheckRunner
from autograder.grading.uses import used
from autograder.sandbox import Limits, Printed

NOT_IN_RESULTS = frozenset(  # categories of failures that no example of a call can show
    {
        "changed its argument",
        "loops over tokens",
        "no gradient",
        "stays behind when moved",
        "wrong dropout",
        "wrong gradient",
        "wrong parameters",
        "wrong start values",
    }
)


OF_CALLS = frozenset(  # categories of failures that random results explain
    {
        "another result",
        "looks into the future",
        "sequences influence each other",
        "state is not complete",
        "wrong gradient",
        "wrong values",
    }
)


class Examination:
    """The exercises of one submission, each examined once, when its grade is first requested."""

    def __init__(
        self,
        checks: Checks,
        reference: Callable[[str], Reference],
        implementation: SubmissionImplementation | LocalImplementation,
        limits: Limits,
        found_right: FoundRight | None = None,
    ) -> None:
        self._checks = checks
        self._reference = reference
        self._implementation = implementation
        self._limits = limits
        self._found_right = found_right or FoundRight(most=0)
        self._runner = CheckRunner(checks, reference, implementation, limits)
        self._graded: dict[str, ExerciseGrade] = {}
        self._rounded: dict[str, list[Exercise]] = {}  # replaced in it, since they give float32
        self._used: dict[str, list[Exercise]] = {}  # failed and used by it, though not needed
        self.runs: dict[str, list[tuple[Collected, CheckRun]]] = {}  # by exercise

    def of(self, exercise: Exercise) -> ExerciseGrade:
        """Return the grade of an exercise, given the grades of its prerequisites."""
        if exercise.name not in self._graded:
            found = self._examine_at_home(exercise)
            self.runs[exercise.name] = [(collected, run) for collected, run, _ in found]
            self._graded[exercise.name] = self._grade(exercise, found)
            self._remember(self._graded[exercise.name])
        return self._graded[exercise.name]

    def _of_other(self, exercise: Exercise) -> ExerciseGrade:
        """Return the grade of an exercise that another one uses, maybe as it was found before."""
        name, text = exercise.name, self._text
        known = text and name not in self._graded and self._found_right.get(name, text)
        if known:
            self._graded[name], self.runs[name] = known, []
        return self.of(exercise)

    def _remember(self, graded: ExerciseGrade) -> None:
        """Remember an exercise if it passed with nothing to note."""
        is_noted = any(run.notes for _, run in self.runs[graded.name])
        is_noted = is_noted or graded.name in self._rounded
        if self._text and graded.outcome is Outcome.PASSED and not is_noted:
            self._found_right.add(graded, self._text)

    @property
    def _text(self) -> Text | None:
        """The code that is examined; None if it runs in this process."""
        own = self._implementation
        return own.text if isinstance(own, SubmissionImplementation) else None

    def example(self, exercise: Exercise) -> Example | None:
        """Return the smallest example of what is wrong with an exercise that has been examined.

        Returns None if its code was stopped, if it waits for another exercise, or if no visible
        check of its results fails. Finding the example costs two to five questions.
        """
        trial = self._checks.trial(exercise)
        found = self.runs[exercise.name]
        failed = [f for c, f in found if c.visible and f.outcome is Outcome.FAILED]
        stopped = any(f.problem and f.problem.kind in MISSING | FATAL for _, f in found)
        waits = self._graded[exercise.name].waits_for
        no_results = all(f.category in NOT_IN_RESULTS for f in failed)
        if trial is None or no_results or stopped or waits:
            return None
        self._implementation.printed = Printed()
        submission = self._implementation.client(self._runner.layout_anew(exercise))
        home = self._checks.home(exercise)
        reference = self._reference(home).client
        key = f"small questions about {exercise.name}"
        expected = reference().once(key, lambda _: expected_answers(trial, reference))
        example = smallest(submission, expected)
        if example is None:
            return None
        example = rebuilt(submission, example, self._is_random(exercise))
        return replace(example, names=course.inputs(home, exercise.name))

    def mark_random(self, exercise: Exercise) -> None:
        """Set the symptom of wrong numbers of an exercise that has been examined, if it is random.

        Finding out costs a question if there are any.
        """
        if self._is_random(exercise):
            for _, run in self.runs[exercise.name]:
                run.symptom = RANDOM if _is_of_calls(run) else run.symptom

    def _is_random(self, exercise: Exercise) -> bool:
        """Return whether an exercise gives wrong numbers, and others with other random numbers."""
        trial = self._checks.trial(exercise)
        runs = [run for _, run in self.runs[exercise.name] if run.outcome is Outcome.FAILED]
        if trial is None or any(f.problem for f in runs) or not any(map(_is_of_calls, runs)):
            return False
        self._implementation.printed = Printed()
        submission = self._implementation.client(self._runner.layout_anew(exercise))
        _, inputs = trial.first_case(Draw(exercise.name))
        try:
            module = trial.build(submission, keep=False)
            return repeats(module, trial.operation(inputs)) is Repeats.UNLESS_RANDOM
        except (StepFailed, Wrong):  # what fails here fails in the checks as well
            return False

    def _examine_at_home(self, exercise: Exercise) -> list[Found]:
        """Examine an exercise in this module, or in its own assignment's if it is not defined here.

        The submission has that other module only if this one may import it. If the exercise is
        wrong here and right there, it counts as right: its mistake is this module's own, and has to
        cost points here.
        """
        home = self._checks.home(exercise)
        implementation = self._implementation
        if not isinstance(implementation, SubmissionImplementation) or home not in {
            *implementation.text.texts
        } - {implementation.text.stem}:
            return self._examine(exercise)
        here = self._examine(exercise) if exercise.name in implementation.load().names else []
        if here and all(run.outcome is Outcome.PASSED for _, run, _ in here):
            return here
        with implementation.in_new_session(home) as other:
            there = self._with(other)._examine(exercise)
        is_right_there = all(run.outcome is Outcome.PASSED for _, run, _ in there)
        not_here = all(run.problem and run.problem.type == UNAVAILABLE for _, run, _ in here)
        return there if is_right_there or not_here else here

    def _examine(self, exercise: Exercise) -> list[Found]:
        """Run an exercise's checks, the hidden ones last, so that no visible one is told of them.

        Returns what was found in the order of the checks.
        """
        found: dict[str, Found] = {}
        verdict: CheckRun | None = None  # set once the other checks need not be run
        for collected in self._checks.in_turn(exercise):
            self._implementation.printed = Printed()
            run = verdict or self._runner.run(exercise, collected)
            found[collected.name] = (collected, run, self._implementation.printed)
            if run.problem and verdict is None:
                verdict = check_grades.verdict(collected, run)
        return [found[collected.name] for collected in self._checks.of(exercise)]

    def _grade(self, exercise: Exercise, found: list[Found]) -> ExerciseGrade:
        """Grade an exercise; a check that fails only because of a prerequisite is blocked.

        If it fails only because a right prerequisite gives float32, it passes with a note.
        """
        waits_for = ""
        if any(f.outcome in (Outcome.FAILED, Outcome.MISSING) for _, f, _ in found):
            waits_for = self._waits_for(exercise, [f.problem for _, f, _ in found if f.problem])
        wrong = self._wrong_prerequisites(exercise) if waits_for else []
        if waits_for and not wrong:
            blocked = tuple(check_grades.blocked(*one, waits_for) for one in found)
            return ExerciseGrade(exercise.name, blocked, waits_for)
        rounding: list[Exercise] = []
        earlier: list[Exercise] = []
        in_child = isinstance(self._implementation, SubmissionImplementation)
        if in_child and any(f.outcome is Outcome.FAILED for _, f, _ in found):
            rounding = [need for need in self._rounding(exercise.needs) if need not in wrong]
            earlier = self._used_by(exercise)
        failed = [e for e in self._failed(earlier) if e not in wrong]
        replaced = [*wrong, *rounding, *failed]
        replaced += [e for e in self._rounding(earlier) if e not in replaced]
        if not replaced:
            return ExerciseGrade(exercise.name, tuple(check_grades.graded(*one) for one in found))
        again, asked = self._examine_with_references(exercise, replaced)
        causes = [e for e in replaced if e in wrong or e in rounding or e.name in asked]
        if not causes:
            return ExerciseGrade(exercise.name, tuple(check_grades.graded(*one) for one in found))
        self._used[exercise.name] = [e for e in causes if e in failed]
        self._rounded[exercise.name] = [e for e in causes if e not in wrong and e not in failed]
        self.runs[exercise.name] = [(collected, run) for collected, run, _ in again]
        waits_for = waits_for or next((e.name for e in self._used[exercise.name]), "")
        reason = f"Waits for {waits_for}; with a correct one this is right."
        if not waits_for:
            names = " and ".join(need.name for need in causes)
            reason = (
                f"It fails with your {names} only because that returns float32 where float64 is "
                "given; with one that keeps float64 it is right (no points lost)."
            )
        pairs = zip(found, again, strict=True)
        graded = tuple(
            check_grades.carried(before, after, waits_for, reason) for before, after in pairs
        )
        return ExerciseGrade(exercise.name, graded, waits_for)

    def _examine_with_references(
        self, exercise: Exercise, replaced: list[Exercise]
    ) -> tuple[list[Found], frozenset[str]]:
        """Examine an exercise again, with references in place of others.

        Returns also the names of those that it uses.
        """
        consult = {need.name: self._reference(self._checks.home(need)).consult for need in replaced}
        kinds = {need.name: self._checks.kind(need) for need in replaced}
        assert isinstance(self._implementation, SubmissionImplementation)
        with self._implementation.in_new_session(
            self._implementation.text.stem, consult, kinds
        ) as implementation:
            found = self._with(implementation)._examine(exercise)
        problems = [run.problem for _, run, _ in found if run.problem]
        return found, implementation.consulted | {p.where for p in problems if p.kind == "unsuited"}

    def _used_by(self, exercise: Exercise) -> list[Exercise]:
        """Return the exercises that one uses, beside those that it needs.

        There are none once half of the budget is used up, which other exercises need.
        """
        assert isinstance(self._implementation, SubmissionImplementation)
        if not self._implementation.has_time():
            return []
        return used(exercise, self._implementation.text)

    def _failed(self, earlier: list[Exercise]) -> list[Exercise]:
        """Return the exercises among these, or below them, that failed."""
        failed: list[Exercise] = []
        for one in earlier:
            graded = self._of_other(one)
            if graded.outcome is Outcome.FAILED:
                failed.append(one)
            elif graded.is_carried:
                failed += self._wrong_prerequisites(one)
        return list(dict.fromkeys(failed))

    def _with(self, implementation: SubmissionImplementation) -> Examination:
        """Return a new examination of another implementation with the same checks."""
        return Examination(self._checks, self._reference, implementation, self._limits)

    def _wrong_prerequisites(self, exercise: Exercise) -> list[Exercise]:
        """Return the failed prerequisites of an exercise, which references can replace.

        Empty if any prerequisite is not written or could not be graded: it has to come first.
        """
        wrong = [*self._used.get(exercise.name, [])]
        for need in exercise.needs:
            graded = self._of_other(need)
            if graded.outcome is Outcome.FAILED:
                wrong.append(need)
            elif graded.is_carried:
                wrong += self._wrong_prerequisites(need)
            elif graded.outcome is not Outcome.PASSED:
                return []
        return list(dict.fromkeys(wrong))

    def _rounding(self, exercises: Iterable[Exercise]) -> list[Exercise]:
        """Return the exercises among these, or below them, that give float32 for float64.

        That costs no points in themselves, so it may cost none here.
        """
        found: list[Exercise] = []
        for need in exercises:
            self._of_other(need)
            notes = [note for _, run in self.runs[need.name] for note in run.notes]
            if any(note.startswith(SINGLE_PRECISION) for note in notes):
                found.append(need)
            found += self._rounded.get(need.name, [])
        return list(dict.fromkeys(found))

    def _waits_for(self, exercise: Exercise, problems: list[Problem]) -> str:
        """Return the name of the exercise that has to be fixed first, or ""."""
        written = {p.where for p in problems if p.kind == "unwritten"}
        if exercise.name in written or any(p.kind == "absent" for p in problems):
            return ""
        home = self._checks.home(exercise)
        for need in exercise.needs:
            graded = self._of_other(need)
            if graded.outcome is Outcome.BLOCKED and self._checks.home(need) == home:
                return graded.waits_for
            if graded.outcome not in (Outcome.PASSED, Outcome.ERROR):
                return need.name
        return ""


def _is_of_calls(run: CheckRun) -> bool:
    return run.category in OF_CALLS
