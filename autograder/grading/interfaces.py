"""Interfaces of the objects that name mistakes and find their lines, which grading is given."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol

from autograder.checking.collect import Checks, Collected
from autograder.client import Session, Text
from autograder.client.loading import Reference
from autograder.course.exercise import Exercise
from autograder.grading.grade import Diagnosis, ExerciseGrade
from autograder.grading.runner import CheckRun
from autograder.sandbox import Sandbox


class Namer(Protocol):
    """Names mistakes."""

    def of(
        self, exercise: Exercise, runs: Iterable[tuple[Collected, CheckRun]]
    ) -> tuple[Diagnosis, ...]:
        """Return the mistakes in an exercise that can be named from what its checks found."""

    def alike(self, exercise: Exercise, runs: Iterable[tuple[Collected, CheckRun]]) -> str:
        """Return a key that an exercise shares with other work that fails in the same way."""


class LineFinder(Protocol):
    """Finds the lines of mistakes."""

    def add(
        self, graded: ExerciseGrade, exercise: Exercise, text: Text, parent: Session
    ) -> ExerciseGrade:
        """Return a grade with the line of the mistake, if it is sure.

        parent: the session of the work.
        """


# Makes a Namer from the checks and a function that gives the reference of an assignment.
Diagnosing = Callable[[Checks, Callable[[str], Reference]], Namer]
# Makes a LineFinder from the checks, a function that gives references, and the sandbox.
Locating = Callable[[Checks, Callable[[str], Reference], Sandbox], LineFinder]
