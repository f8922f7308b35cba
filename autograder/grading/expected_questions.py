"""Find the questions that a correct submission will be asked, by asking the solution first.

A submission's child gets them all at once, which saves a round trip for each.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from autograder import course
from autograder.checking.collect import Checks
from autograder.client import LocalImplementation, Script, Scripts, loading
from autograder.client.loading import Reference
from autograder.course.exercise import Exercise
from autograder.grading.grade import Outcome
from autograder.grading.runner import CheckRunner
from autograder.runtime.interpreter import StepAnswer
from autograder.runtime.questions import Question, Step
from autograder.runtime.source import Source
from autograder.sandbox import Limits

Questions = list[tuple[bool, Question]]  # True if a visible check asks it


class ExpectedQuestions:
    """The scripts of exercises; empty in a student's copy, which has no solutions to ask."""

    def __init__(self, checks: Checks, reference: Callable[[str], Reference]) -> None:
        self._checks = checks
        self._reference = reference
        self._questions: dict[str, Questions] = {}  # by exercise
        self._scripts: dict[tuple[Exercise, ...], Scripts] = {}

    def of(self, exercises: Sequence[Exercise]) -> Scripts:
        """Return the scripts of some exercises, one after the other.

        An exercise is left out if its solution prints or fails a check.
        """
        key = tuple(exercises)
        if key not in self._scripts:
            asked = [question for exercise in exercises for question in self._expected(exercise)]
            self._scripts[key] = Scripts(
                Script([question for _, question in asked]),
                Script([question for visible, question in asked if visible]),
                Script([question for visible, question in asked if not visible]),
            )
        return self._scripts[key]

    def _expected(self, exercise: Exercise) -> Questions:
        if course.is_students_copy():
            return []
        if exercise.name not in self._questions:
            self._questions[exercise.name] = self._of_solution(exercise)
        return self._questions[exercise.name]

    def _of_solution(self, exercise: Exercise) -> Questions:
        solution = _RecordingImplementation(loading.text(self._checks.home(exercise)).source())
        runner = CheckRunner(self._checks, self._reference, solution, Limits())
        found: Questions = []
        for collected in self._checks.in_turn(exercise):
            run = runner.run(exercise, collected)
            if run.outcome is not Outcome.PASSED or solution.has_printed:
                return []
            found += [(collected.visible, question) for question in solution.asked[len(found) :]]
        return found


class _RecordingImplementation(LocalImplementation):
    """A solution that records the questions it is asked."""

    def __init__(self, source: Source) -> None:
        super().__init__(source)
        self.asked: list[Question] = []
        self.has_printed = False

    def _ask(self, steps: Sequence[Step], fresh: bool) -> tuple[list[StepAnswer], str]:
        self.asked.append(Question(steps, fresh))
        answers, printed = super()._ask(steps, fresh)
        self.has_printed |= bool(printed)
        return answers, printed
