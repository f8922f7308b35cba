"""Find the line of a mistake: every small change that makes the exercise right changes it.

The child makes the changes, of the student's own code alone, see runtime.edits; the visible checks
tell which of them make the exercise right. If they are in lines that lie apart, none is told.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache

from torch import Tensor

from autograder.checking.collect import Checks, Collected
from autograder.checking.example import Example
from autograder.checking.results import is_showable
from autograder.client import (
    Edited,
    EditWanted,
    Session,
    StepFailed,
    SubmissionImplementation,
    Text,
    ValueWanted,
)
from autograder.client.loading import Reference
from autograder.client.sessions import Budget
from autograder.course import skeleton
from autograder.course.exercise import Exercise
from autograder.grading.grade import ExerciseGrade, Line, Outcome
from autograder.grading.runner import CheckRunner
from autograder.runtime.edits.parts import parts
from autograder.runtime.source_lines import source_lines
from autograder.sandbox import Sandbox

QUESTIONS = 9000  # to all changed modules; each takes two to four
SECONDS = 2.0  # of CPU time for one of them
BUDGET = 25.0  # seconds for all of them
LOST = 3  # changed modules that end the child or their time; after so many, no more are tried
ENOUGH = 3  # changes in one line that make it right; others in it are not tried
APART = 1  # largest distance of lines that still are one place


class LineFinder:
    """Finds the lines of mistakes in submissions."""

    def __init__(
        self, checks: Checks, reference: Callable[[str], Reference], sandbox: Sandbox
    ) -> None:
        self._checks = checks
        self._reference = reference
        self._sandbox = sandbox

    def add(
        self, graded: ExerciseGrade, exercise: Exercise, text: Text, parent: Session
    ) -> ExerciseGrade:
        """Return a grade with the line of the mistake, and the example with what that line makes.

        The grade is returned as it is if the line is not sure. This takes seconds: up to thousands
        of changed modules are graded, in a budget of their own. parent: the session of the work,
        with which this shares the number of children.
        """
        session = Session(self._sandbox, parent)
        limits = replace(self._sandbox.limits, questions=QUESTIONS, seconds=SECONDS, budget=BUDGET)
        session.budget = Budget(limits)
        try:
            places = self._mending(exercise, text, session)
            line = _line(text, places) if places else None
            if line is None:
                return graded
            example = graded.example
            if example and not example.in_evaluation:
                wanted = ValueWanted(exercise.name, places[0].cell, line.number)
                changed = SubmissionImplementation(session, replace(text, edit=wanted))
                example = _with_value(example, changed, line.number)
            return replace(graded, line=line, example=example)
        finally:
            session.clear()

    def _mending(self, exercise: Exercise, text: Text, session: Session) -> list[Edited]:
        """Return where the changes are that make all visible checks pass.

        They are of the first rank that has any. None if they lie apart, if not all could be tried,
        or if the checks pass without a change. A line as it was released is right, such as the
        signature of an exercise: changes there only make up for a mistake elsewhere.
        """
        visible = [_Asked(one) for one in self._checks.in_turn(exercise) if one.visible]
        unchanged = SubmissionImplementation(session, text)
        problem = unchanged.load().problem
        if self._passes(exercise, visible, unchanged):
            return []
        others = tuple(sorted(self._checks.homes().keys() - {exercise.name}))
        found: list[Edited] = []
        released = _released(self._checks.homes()[exercise.name])
        rank: int | None = None
        number = lost = 0
        while session.budget.remaining and lost < LOST:
            edit = EditWanted(exercise.name, number, others)
            implementation = SubmissionImplementation(session, replace(text, edit=edit))
            loaded = implementation.load()
            number += 1
            if loaded.edited is None and loaded.problem is None:
                return found  # there are no more
            if loaded.edited is None:
                lost += 1
                continue
            if rank not in (None, loaded.edited.rank):
                return found
            place = loaded.edited.cell, loaded.edited.line
            if loaded.problem and not problem:
                continue
            if [(one.cell, one.line) for one in found].count(place) >= ENOUGH:
                continue
            if not self._passes(exercise, visible, implementation):
                continue
            rank = loaded.edited.rank
            if _text_at(text, loaded.edited.cell, loaded.edited.line).rstrip() in released:
                continue
            found.append(loaded.edited)
            if _place(found) is None:
                return []
        return []

    def _passes(
        self, exercise: Exercise, checks: list[_Asked], implementation: SubmissionImplementation
    ) -> bool:
        """Return whether checks pass; those that are likely to tell soon that not come first."""
        runner = CheckRunner(self._checks, self._reference, implementation, self._sandbox.limits)
        for asked in sorted(checks, key=lambda asked: asked.seconds / (asked.failures + 1)):
            start = time.perf_counter()
            outcome = runner.run(exercise, asked.check).outcome
            asked.seconds += time.perf_counter() - start
            if outcome is not Outcome.PASSED:
                asked.failures += 1
                return False
        return True


@dataclass
class _Asked:
    """A check, how often it failed, and the seconds that it took in all."""

    check: Collected
    failures: int = 0
    seconds: float = 0.0


def _place(found: list[Edited]) -> int | None:
    """Return the line of most of these changes, or the one that assigns what the others leave out.

    None if they lie apart.
    """
    if len({edited.cell for edited in found}) > 1:
        return None
    lines = [edited.line for edited in found]
    if max(lines) - min(lines) <= APART:
        return max(sorted({*lines}), key=lines.count)
    first = min(lines)
    return first if all(first in (one.line, *one.origins) for one in found) else None


def _with_value(example: Example, changed: SubmissionImplementation, number: int) -> Example:
    """Return an example with what a line makes in its call, if that is a tensor of a few numbers.

    changed: the submission, made to return it. It would not return from an earlier call as usual,
    so this is for examples of one call.
    """
    if changed.load().edited is None:
        return example
    small = example.small
    module = small.trial.build(changed.client()).load({**small.weights, **example.more})
    with suppress(StepFailed):
        tensor = module(*small.inputs).value.output
        if isinstance(tensor, Tensor) and is_showable(tensor):
            title = f"line {number} {tuple(tensor.shape)}"
            return replace(example, at_line=(title, tensor.double()))
    return example


def _line(text: Text, found: list[Edited]) -> Line | None:
    """Return the line of most of these changes; None if a child names none of the text."""
    number = _place(found)
    if number is None or not (there := _text_at(text, found[0].cell, number).strip()):
        return None
    return Line(parts(text.texts, text.stem)[found[0].cell].label, number, there)


def _text_at(text: Text, cell: int, number: int) -> str:
    """Return a line of a text; "" if there is none of this number."""
    all_parts = parts(text.texts, text.stem)
    lines = source_lines(all_parts[cell].text) if 0 <= cell < len(all_parts) else []
    return lines[number - 1] if 0 < number <= len(lines) else ""


@cache
def _released(assignment: str) -> frozenset[str]:
    """Return the lines of an assignment's skeleton."""
    return frozenset(line.rstrip() for line in source_lines(skeleton(assignment)))
