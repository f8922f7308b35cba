"""Find out where a class stands in an assignment, from the results of its submissions."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from autograder.classroom.document import Check, Diagnosis, Example, Exercise, Submission
from autograder.overview.check_statistics import CheckStatistics, check_statistics
from autograder.report import comments

OUTCOMES = ("passed", "failed", "missing", "blocked", "error")
STUCK = 0.5  # share of the exercises that wait for another one


@dataclass(frozen=True)
class Group:
    """The students who made the same mistakes in an exercise, or who fail in the same way.

    key: its name in comments.toml: ids of misconceptions, or what their answers have in common.
    diagnoses: the mistakes; if none could be named, check is the title of one that failed, and
    message what it says of the first student's work. example: the smallest one, of a student.
    """

    exercise: str
    key: str
    students: tuple[str, ...]
    diagnoses: tuple[Diagnosis, ...]
    check: str
    message: str
    example: Example | None

    @property
    def mistake(self) -> str:
        """Return what is wrong, as a phrase or as what a check says."""
        if not self.diagnoses:
            return f"{self.check}: {self.message}" if self.message else self.check
        named = [one.mistake or "a mistake that has only a hint" for one in self.diagnoses]
        return named[0] if len(named) == 1 else f"two mistakes together: {'; '.join(named)}"


@dataclass(frozen=True)
class ExerciseStanding:
    """The results of a class in an exercise: students by outcome, and their mean points."""

    name: str
    counts: dict[str, int]
    mean: float
    max_points: float


@dataclass(frozen=True)
class Stuck:
    """A student who comes no further, the exercise to begin with, and why."""

    student: str
    exercise: str
    why: str


@dataclass(frozen=True)
class Ungraded:
    """A submission without grades, and why it has none."""

    student: str
    status: str
    message: str


@dataclass(frozen=True)
class Standing:
    """The results of a class in an assignment. Points and shares are of graded submissions.

    groups: the largest first. checks: in the order of the exercises. unanswered: students who have
    handed in no answer to any exercise. named: False if the ids of students are left out.
    """

    assignment: str
    graded: int
    points: tuple[float, ...]
    max_points: float
    exercises: tuple[ExerciseStanding, ...]
    groups: tuple[Group, ...]
    checks: tuple[CheckStatistics, ...]
    stuck: tuple[Stuck, ...]
    unanswered: tuple[str, ...]
    ungraded: tuple[Ungraded, ...]
    named: bool = True

    @property
    def mean(self) -> float:
        return statistics.fmean(self.points) if self.points else 0.0

    @property
    def median(self) -> float:
        return statistics.median(self.points) if self.points else 0.0

    @property
    def failures(self) -> int:
        """Return how many exercises failed, of all students together."""
        return sum(exercise.counts["failed"] for exercise in self.exercises)


def without_names(standing: Standing) -> Standing:
    """Return the same with "" in place of each student's id.

    Messages are left out too: they may name a file, or have what a student's code says.
    """
    groups = (
        replace(
            one,
            students=("",) * len(one.students),
            message="",
            example=one.example and replace(one.example, words=()),
        )
        for one in standing.groups
    )
    stuck = (replace(one, student="") for one in standing.stuck)
    ungraded = (replace(one, student="", message="") for one in standing.ungraded)
    return replace(
        standing,
        groups=tuple(groups),
        stuck=tuple(stuck),
        unanswered=("",) * len(standing.unanswered),
        ungraded=tuple(ungraded),
        named=False,
    )


def standings(submissions: Iterable[Submission]) -> list[Standing]:
    """Return where a class stands in each assignment, in the order in which they come."""
    by_assignment: dict[str, list[Submission]] = {}
    for one in submissions:
        by_assignment.setdefault(one.assignment or "", []).append(one)
    return [_standing(name, those) for name, those in by_assignment.items()]


def _standing(assignment: str, submissions: Sequence[Submission]) -> Standing:
    graded = [one for one in submissions if one.status == "graded"]
    others = [one for one in submissions if one.status != "graded"]
    names = list(dict.fromkeys(exercise.name for one in graded for exercise in one.exercises))
    return Standing(
        assignment,
        len(graded),
        tuple(one.score for one in graded),
        max((one.max_score for one in submissions), default=0.0),
        tuple(_of_exercise(name, graded) for name in names),
        tuple(groups(graded)),
        tuple(check_statistics(graded)),
        tuple(found for one in graded if (found := _stuck(one))),
        tuple(one.submission for one in graded if not _begun(one)),
        tuple(Ungraded(one.submission, one.status, one.message) for one in others),
    )


def _of_exercise(name: str, graded: Sequence[Submission]) -> ExerciseStanding:
    found = [exercise for one in graded for exercise in one.exercises if exercise.name == name]
    counts: Counter[str] = Counter(exercise.status for exercise in found)
    mean = statistics.fmean(exercise.score for exercise in found)
    most = max(exercise.max_score for exercise in found)
    return ExerciseStanding(name, {one: counts[one] for one in OUTCOMES}, mean, most)


def groups(graded: Iterable[Submission]) -> list[Group]:
    """Return the groups of failures, the largest first; equally large ones in order of exercises.

    Failures of one exercise are together if the same mistakes were named, or if none was and they
    answer alike.
    """
    together: dict[tuple[str, str], list[tuple[str, Exercise]]] = {}
    for one in graded:
        for exercise in one.exercises:
            if exercise.status == "failed":
                key = comments.group(exercise.misconceptions, exercise.alike)
                together.setdefault((exercise.name, key), []).append((one.submission, exercise))
    found = [_group(name, key, failures) for (name, key), failures in together.items()]
    return sorted(found, key=lambda group: -len(group.students))


def _group(name: str, key: str, failures: Sequence[tuple[str, Exercise]]) -> Group:
    first = next((e for _, e in failures if e.example), failures[0][1])
    said = _said(first)
    students = tuple(student for student, _ in failures)
    message = "" if first.diagnoses else said.message
    return Group(name, key, students, first.diagnoses, said.title, message, first.example)


def _said(exercise: Exercise) -> Check:
    """Return the first check that failed, if possible a visible one."""
    failed = [check for check in exercise.checks if check.status == "failed"]
    return next((check for check in failed if check.visible), failed[0])


def _begun(one: Submission) -> list[Exercise]:
    """Return the exercises in which something is written."""
    return [exercise for exercise in one.exercises if exercise.status != "missing"]


def _stuck(one: Submission) -> Stuck | None:
    """Return where a student is stuck: if nothing passes though something is written.

    Also if many exercises wait for one.
    """
    begun = _begun(one)
    wrong = next((exercise for exercise in begun if exercise.status != "passed"), None)
    blocked = [exercise for exercise in one.exercises if exercise.status == "blocked"]
    passed = any(exercise.status == "passed" for exercise in begun)
    if wrong is None or (passed and len(blocked) < STUCK * len(one.exercises)):
        return None
    why = "; ".join(found.mistake for found in wrong.diagnoses if found.mistake)
    waiting = f"{len(blocked)} {'waits' if len(blocked) == 1 else 'wait'} for it" if blocked else ""
    return Stuck(one.submission, wrong.name, "; ".join(filter(None, [why, waiting])))
