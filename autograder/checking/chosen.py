"""Leave out checks, and give them other points, as the instructor has chosen in course.toml."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from autograder import course
from autograder.course.exercise import Exercise
from autograder.course.place import DECLARATION
from autograder.errors import CourseError

if TYPE_CHECKING:  # which imports this module
    from autograder.checking.collect import Collected


@lru_cache(maxsize=4)  # a grader that stays collects for each verdict
def chosen(collected: tuple[Collected, ...], declared: course.Declaration) -> tuple[Collected, ...]:
    """Return the checks that the course asks for, with the points that are chosen.

    Their exercises need only exercises that are asked for too. Raises CourseError.
    """
    left_out = declared.left_out()
    kept = [one for one in collected if one.check.exercise.name not in left_out]
    for name in {one.assignment for one in collected} - {one.assignment for one in kept}:
        raise CourseError(
            f"{_file()} leaves out all exercises of {name}. Write leave_out = true under "
            f"[assignments.{name}] instead."
        )
    asked = course.exercises() | {one.check.exercise.name for one in kept}
    _assert_no_part_given(dict.fromkeys(one.check.exercise for one in kept), asked)
    exercises: dict[Exercise, Exercise] = {}
    points: dict[Collected, float] = {}
    for exercise in dict.fromkeys(one.check.exercise for one in kept):
        exercises[exercise] = _among(exercise, asked, exercises)
        if exercise.name in declared.exercises:
            own = [one for one in kept if one.check.exercise is exercise]
            points |= _points(own, declared.exercises[exercise.name].points)
    return tuple(_with(one, exercises[one.check.exercise], points.get(one)) for one in kept)


def _with(one: Collected, exercise: Exercise, points: float | None) -> Collected:
    """Return a check with another exercise of the same name, and with other points if not None."""
    points = one.check.points if points is None else points
    if exercise is one.check.exercise and points == one.check.points:
        return one
    return replace(one, check=replace(one.check, exercise=exercise, points=points))


def _assert_no_part_given(exercises: Iterable[Exercise], asked: frozenset[str]) -> None:
    """Raise CourseError if an exercise whose code is given may use one that is asked for.

    Its author says so where the one is a part of the other, so that the code may be an answer.
    """
    for exercise in exercises:
        for one in (*exercise.prerequisites(), *exercise.may_use):
            part = next((part.name for part in one.may_use if part.name in asked), "")
            if part and one.name not in asked and one.name in course.given():
                raise CourseError(
                    f"{_file()} leaves out {one.name}, on which {exercise.name} is built, but "
                    f"{part} may be a part of it. Leave out {part} too, or ask for {one.name}."
                )


def _among(exercise: Exercise, asked: frozenset[str], known: dict[Exercise, Exercise]) -> Exercise:
    """Return an exercise that needs, and may use, only those that are asked for."""
    if exercise not in known:
        needs, may_use = (
            tuple(_among(one, asked, known) for one in others if one.name in asked)
            for others in (exercise.needs, exercise.may_use)
        )
        is_same = (needs, may_use) == (exercise.needs, exercise.may_use)
        known[exercise] = exercise if is_same else Exercise(exercise.name, needs, may_use)
    return known[exercise]


def _points(
    checks: Sequence[Collected], points: int | Mapping[str, float] | None
) -> dict[Collected, float]:
    """Return the points that are chosen for checks of one exercise. Raises CourseError."""
    if points is None:
        return {}
    exercise = checks[0].check.exercise.name
    if isinstance(points, int):
        weights = [one.check.points for one in checks]
        weights = weights if any(weights) else [1.0] * len(checks)
        count = sum(weight > 0 for weight in weights)
        if points < count:
            raise CourseError(
                f"{_file()}: [exercises.{exercise}] has points = {points}, but {count} checks that "
                f"give points. Write {count} or more."
            )
        return dict(zip(checks, map(float, distributed(points, weights)), strict=True))
    by_name = {one.name: one for one in checks}
    for name in points.keys() - by_name.keys():
        raise CourseError(
            f"{_file()}: [exercises.{exercise}] has points for {name}. "
            f"{exercise} has the checks {', '.join(by_name)}."
        )
    return {by_name[name]: float(given) for name, given in points.items()}


def distributed(total: int, weights: Sequence[float]) -> list[int]:
    """Distribute whole points in proportion to weights; where these are 0, none are given.

    One point after the other goes to where there are fewest for the weight, the first of several.
    So each weight gets one at least if there are enough, and weights themselves if they add up to
    the total (the method of Adams, as for seats in a parliament).
    """
    given = [0] * len(weights)
    for _ in range(total):
        wanted = [i for i, weight in enumerate(weights) if weight]
        given[min(wanted, key=lambda i: given[i] / weights[i])] += 1
    return given


def _file() -> str:
    return str(course.folder() / DECLARATION)
