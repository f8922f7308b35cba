"""Collect the checks: the pytest functions of the course that belong to an exercise.

The checks are imported and called directly. Running them through pytest would cost a third of a
second at each start and a millisecond per check and submission. A test ensures that pytest
collects exactly the same checks.
"""

from __future__ import annotations

import inspect
import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

from autograder import course
from autograder.checking import Trial
from autograder.checking.check_files import assert_defined_once, imported
from autograder.checking.chosen import Named, chosen
from autograder.checking.nearest_names import LIKENESS, nearest, said_of
from autograder.course.commands import command
from autograder.course.exercise import MARK, Check, Exercise, ExerciseBroken
from autograder.course.place import DECLARATION
from autograder.course.texts import declared_in
from autograder.errors import CourseError, UsageError

BEGIN, END = "# BEGIN HIDDEN TESTS", "# END HIDDEN TESTS"
UNMATCHED = {
    BEGIN: f"there is {BEGIN} where hidden checks have begun. Write {END} above it.",
    END: f"there is {END} where no hidden checks have begun. Write {BEGIN} above them.",
}
FIXTURES = frozenset({"submission", "reference", "draw"})


class NoSuchExercise(UsageError):
    """A requested exercise does not exist."""


@dataclass(frozen=True, eq=False)
class Collected:
    """A check with its assignment, the fixtures it takes and whether students see it."""

    function: Callable[..., None]
    fixtures: tuple[str, ...]
    check: Check
    assignment: str
    visible: bool

    @property
    def name(self) -> str:
        return self.function.__name__.removeprefix("test_")

    def run(self, **given: Any) -> None:
        """Run the check. given: a value for each of FIXTURES. Raises what the check raises."""
        self.function(**{name: given[name] for name in self.fixtures})

    def assert_in_reference(self, name: str, defined: Iterable[str]) -> None:
        """Assert that the reference defines what this check asks for. Raises ExerciseBroken."""
        if name not in defined:
            close = nearest(name, course.exercises(), LIKENESS)
            raise ExerciseBroken(
                f"{self.function.__code__.co_filename}: {self.function.__name__} asks for {name}, "
                f"which {course.solution_file(self.assignment).name} does not define. "
                + (f"Was {close} meant?" if close else "Define it, or correct the name.")
            )

    def is_own(self, error: BaseException) -> bool:
        """Return whether the check itself raised this error, not a function that it called."""
        *_, (innermost, _) = traceback.walk_tb(error.__traceback__)
        return innermost.f_code.co_filename == self.function.__code__.co_filename


class Checks:
    """The checks of the course, by exercise and assignment."""

    def __init__(self, collected: list[Collected], trials: Iterable[Trial] = ()) -> None:
        self.collected = collected
        self._of: dict[str, list[Collected]] = {}  # by exercise
        for one in collected:
            self._of.setdefault(one.check.exercise.name, []).append(one)
        self._trials = {trial.exercise: trial for trial in reversed([*trials])}

    def in_order(self, collected: list[Collected]) -> Checks:
        """Return these checks in another order, with the same trials."""
        return Checks(collected, self._trials.values())

    @property
    def assignments(self) -> list[str]:
        """Return the assignments that have checks, in the order of the course."""
        return sorted({c.assignment for c in self.collected}, key=_position)

    def exercises(self, assignment: str) -> list[Exercise]:
        """Return an assignment's exercises, in the order of its checks."""
        checks = [c.check for c in self.collected if c.assignment == assignment]
        return list(dict.fromkeys(check.exercise for check in checks))

    def homes(self) -> dict[str, str]:
        """Return the assignment of each exercise by its name, in the order of the course."""
        return {e.name: home for home in self.assignments for e in self.exercises(home)}

    def assert_known(self, names: Iterable[str]) -> None:
        """Assert that every name is an exercise's. Raises NoSuchExercise, with suggestions."""
        homes = self.homes()
        for name in sorted(set(names) - homes.keys()):
            raise NoSuchExercise(f"There is no exercise {name}. {said_of(name, homes)}")

    def home(self, exercise: Exercise) -> str:
        """Return the assignment to which an exercise belongs."""
        return self._of[exercise.name][0].assignment

    def of(self, exercise: Exercise) -> list[Collected]:
        """Return an exercise's checks, in the order of their file."""
        return self._of.get(exercise.name, [])

    def in_turn(self, exercise: Exercise) -> list[Collected]:
        """Return an exercise's checks in the order in which they are run: hidden ones come last."""
        return sorted(self.of(exercise), key=lambda check: not check.visible)

    def layout_check(self, exercise: Exercise, collected: Collected) -> Collected | None:
        """Return the exercise's check of weight layout, if it is this check or an earlier one."""
        checks = self.of(exercise)
        until = checks[: checks.index(collected) + 1]
        return next((c for c in until if c.check.layout), None)

    def trial(self, exercise: Exercise) -> Trial | None:
        """Return the first trial of the exercise in its file, if there is one."""
        return self._trials.get(exercise.name)

    def kind(self, exercise: Exercise) -> str:
        """Return what an exercise asks for: a function, a plain class or a module."""
        trial = self.trial(exercise)
        if trial is not None and trial.projections is not None:
            return "function"
        return "plain class" if trial is not None and trial.tensors else "module"

    def is_plain(self, exercise: Exercise) -> bool:
        """Return whether an exercise asks for a plain class, not for a module or a function."""
        return self.kind(exercise) == "plain class"


def _position(assignment: str) -> int:
    """Return the position of an assignment in the course; unknown ones come last."""
    names = course.assignments()
    return names.index(assignment) if assignment in names else len(names)


def collect(files: Iterable[Path] | None = None, is_whole: bool = False) -> Checks:
    """Collect the checks in some files, by default in all of the course.

    is_whole: those too that the course leaves out, all as their authors have them. Raises
    ExerciseBroken, and CourseError for a course without any.
    """
    files = course.check_files() if files is None else list(files)
    collected: list[Collected] = []
    trials: list[Trial] = []
    for path in files:
        text = course.text_of(path)  # first, since it says why a file cannot be read
        module = imported(path)
        trials += [value for value in vars(module).values() if isinstance(value, Trial)]
        own = _of_module(module, path, text)
        if not own:  # all would have 0 of 0 points
            raise ExerciseBroken(f"{path}: there are no checks")
        if not course.is_students_copy():  # which lacks hidden checks
            _check_declared(path, own)
        collected += own
    if not collected:
        for path in sorted(course.folder().glob("*/*.py")):
            checks = path.with_name(f"test_{path.name}")
            if path.stem == path.parent.name and not checks.exists():
                raise CourseError(
                    f"{path.parent} has no {checks.name}: declare its exercises and their checks "
                    "there."
                )
        beginning = command("make exercise", "exercise")
        raise CourseError(
            f"{course.folder()} has no assignment. Begin one with {beginning}, or name some of the "
            f"kit's under take_over in {DECLARATION}."
        )
    _check_names(collected)
    if is_whole:
        return Checks(collected, trials)
    return Checks([*_chosen(tuple(collected), course.declared())], trials)


@lru_cache(maxsize=4)
def _chosen(
    collected: tuple[Collected, ...], declared: course.Declaration
) -> tuple[Collected, ...]:
    """Return the checks that the course asks for, with the points that are chosen for them."""
    found = chosen((Named(one.assignment, one.name, one.check) for one in collected), declared)
    kept = (one for one in collected if one.check in found)
    return tuple(
        one if found[one.check] is one.check else replace(one, check=found[one.check])
        for one in kept
    )


def _check_declared(path: Path, checks: Iterable[Collected]) -> None:
    """Raise ExerciseBroken if a file declares an exercise that has none of its checks."""
    checked = {one.check.exercise.name for one in checks}
    for name in declared_in(path):
        if name not in checked:
            raise ExerciseBroken(
                f"{path}: {name} is declared as an exercise, but has no check. Write one, or "
                "delete its declaration."
            )


def _check_names(collected: list[Collected]) -> None:
    """Raise ExerciseBroken if two exercises have the same name: nobody could say which is meant."""
    known: dict[str, Collected] = {}
    for one in collected:
        first = known.setdefault(one.check.exercise.name, one)
        if first.check.exercise is not one.check.exercise:
            raise ExerciseBroken(
                f"{one.check.exercise.name} is the name of two exercises, in the checks of "
                f"{first.assignment} and of {one.assignment}. Rename one of them."
            )


@lru_cache(maxsize=64)  # a grader that stays collects for each verdict
def _of_module(module: ModuleType, path: Path, text: str) -> tuple[Collected, ...]:
    """Collect the checks of a module, whose file has this text. Raises ExerciseBroken."""
    assert_defined_once(path, text)
    hidden = _hidden(path, text)
    return tuple(
        _collected(path, function, hidden)
        for name, function in vars(module).items()
        if name.startswith("test_") and inspect.isfunction(function)
    )


def _collected(path: Path, function: Any, hidden: list[tuple[int, int]]) -> Collected:
    check = getattr(function, MARK, None)
    first = function.__code__.co_firstlineno
    where = f"{path}, line {first}: {function.__name__}"
    if check is None:
        raise ExerciseBroken(
            f"{where} is not declared as a check of an exercise. Write @….check(points=1) above it."
        )
    fixtures = tuple(inspect.signature(function).parameters)
    if unknown := sorted(set(fixtures) - FIXTURES):
        there = ", ".join(sorted(FIXTURES))
        raise ExerciseBroken(f"{where} asks for {unknown[0]}. Ask for some of {there}.")
    visible = not any(begin < first < end for begin, end in hidden)
    return Collected(function, fixtures, check, path.stem.removeprefix("test_"), visible)


def _hidden(path: Path, text: str) -> list[tuple[int, int]]:
    """Return the hidden regions of a check file: the line numbers of each pair of markers."""
    found: list[tuple[int, int]] = []
    begun = 0
    for number, line in enumerate(course.source_lines(text), 1):
        marker = line.strip()
        if marker == BEGIN and not begun:
            begun = number
        elif marker == END and begun:
            found.append((begun, number))
            begun = 0
        elif marker in UNMATCHED:
            raise ExerciseBroken(f"{path}, line {number}: {UNMATCHED[marker]}")
    if begun:
        raise ExerciseBroken(f"{path}, line {begun}: {BEGIN} is never ended. Write {END} below it.")
    return found
