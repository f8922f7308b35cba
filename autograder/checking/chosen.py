"""Leave out checks, and give them other points, as the instructor has chosen in course.toml."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from autograder import course
from autograder.course.exercise import Check, Exercise
from autograder.course.place import DECLARATION
from autograder.errors import CourseError


class Named(NamedTuple):
    """A check with its name and its assignment."""

    assignment: str
    name: str
    check: Check


def chosen(checks: Iterable[Named], declared: course.Declaration) -> dict[Check, Check]:
    """Return each check that the course asks for as it is chosen, by its author's.

    It has the points that are chosen, and needs only exercises that are asked for too. One of which
    nothing is chosen is the same object. Raises CourseError.
    """
    found, left_out = [*checks], declared.left_out()
    kept = [one for one in found if one.check.exercise.name not in left_out]
    for name in {one.assignment for one in found} - {one.assignment for one in kept}:
        raise CourseError(
            f"{_file()} leaves out all exercises of {name}. Write leave_out = true under "
            f"[assignments.{name}] instead."
        )
    asked = course.exercises() | {one.check.exercise.name for one in kept}
    _assert_no_part_given(dict.fromkeys(one.check.exercise for one in kept), asked)
    exercises: dict[Exercise, Exercise] = {}
    points = {one.check: one.check.points for one in kept}
    for exercise in dict.fromkeys(one.check.exercise for one in kept):
        exercises[exercise] = _among(exercise, asked, exercises)
        if exercise.name in declared.exercises:
            own = {one.name: one.check for one in kept if one.check.exercise is exercise}
            points |= _points(own, declared.exercises[exercise.name].points)
    return {
        check: check
        if exercises[check.exercise] is check.exercise and given == check.points
        else replace(check, exercise=exercises[check.exercise], points=given)
        for check, given in points.items()
    }


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
    checks: Mapping[str, Check], points: int | Mapping[str, float] | None
) -> dict[Check, float]:
    """Return the points that are chosen for checks of one exercise. Raises CourseError.

    checks: all of the exercise, by name.
    """
    if points is None:
        return {}
    exercise = next(iter(checks.values())).exercise.name
    where = f"{_file()}: [exercises.{exercise}] has points"
    if not isinstance(points, int):
        for name in points.keys() - checks.keys():
            raise CourseError(f"{where} for {name}. {exercise} has the checks {', '.join(checks)}.")
        return {checks[name]: float(given) for name, given in points.items()}
    weights = [check.points for check in checks.values()]
    weights = weights if any(weights) else [1.0] * len(checks)
    count = sum(weight > 0 for weight in weights)
    if points < count:
        raise CourseError(
            f"{where} = {points}, but {count} checks that give points. Write {count} or more."
        )
    return dict(zip(checks.values(), map(float, distributed(points, weights)), strict=True))


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
