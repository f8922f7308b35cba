"""Grade mutants: run the checks of their exercise on each, until one notices the change."""

from __future__ import annotations

from collections.abc import Iterator

from autograder import course
from autograder.audit.corpus import of_exercise
from autograder.checking.collect import Checks
from autograder.client import Session, SubmissionImplementation, Text, loading
from autograder.client.loading import Reference
from autograder.course.exercise import Exercise
from autograder.grading.grade import Outcome
from autograder.grading.runner import CheckRunner
from autograder.mutants.making import Mutant, mutants
from autograder.sandbox import Limits, Sandbox

LIMITS = Limits(seconds=3.0, budget=30.0)  # right solutions take a tenth of that
REFERENCE = "reference"
SHARE = 8  # of the mutants of the solutions in right/, every eighth; of the reference all


def solutions(home: str, exercise: str) -> dict[str, str]:
    """Return the texts of all right solutions of an exercise, the reference first."""
    texts = {f"{exercise}/{REFERENCE}": course.statement(home)}
    files = of_exercise(home, exercise, "right")
    return texts | {path.stem: course.text_of(path) for path in files}


def mutants_of(checks: Checks, exercise: str, solution: str) -> Iterator[Mutant]:
    """Yield the mutants of a solution: all if it is the reference, otherwise a sample.

    The sample is drawn by the mutants' ids, so that a change of one leaves the others in it.
    """
    others = checks.homes().keys() - {exercise}
    text = solutions(checks.homes()[exercise], exercise)[solution]
    share = 1 if solution.endswith(f"/{REFERENCE}") else SHARE
    yield from mutants(exercise, solution, text, others, share)


class Killer:
    """Runs checks on mutants of the exercises of a course, in one sandbox."""

    def __init__(self, checks: Checks, sandbox: Sandbox) -> None:
        self._checks = checks
        self._sandbox = sandbox
        self._references: dict[str, Reference] = {}

    def killed_by(self, exercise: Exercise, mutant: Mutant) -> str:
        """Return the name of the first check that notices a mutant; "" if none does.

        A remark that costs no points, such as on float32, counts: the student reads it.
        """
        home = self._checks.home(exercise)
        session = Session(self._sandbox)
        texts = {home: mutant.text}
        if mutant.solution == f"{exercise.name}/{REFERENCE}":
            texts = {name: course.statement(name) for name in course.assignments()} | texts
        try:
            text = Text(home, texts, course.assignments())
            implementation = SubmissionImplementation(session, text)
            runner = CheckRunner(self._checks, self._reference, implementation, LIMITS)
            for collected in self._checks.in_turn(exercise):
                run = runner.run(exercise, collected)
                if run.outcome is not Outcome.PASSED or run.notes:
                    return collected.name
            return ""
        finally:
            session.clear()

    def _reference(self, assignment: str) -> Reference:
        if assignment not in self._references:
            self._references[assignment] = loading.load(assignment)
        return self._references[assignment]
