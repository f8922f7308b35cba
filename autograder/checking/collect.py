"""Collect the checks: the pytest functions of the course that belong to an exercise.

They are imported and called here directly. Going through pytest itself would cost a third of
a second at each start and a millisecond per check and submission; that pytest finds exactly
the same ones is a test of the kit.
"""

from __future__ import annotations

import importlib
import inspect
import sys
import traceback
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from types import ModuleType
from typing import Any

from autograder import course
from autograder.checking import Trial
from autograder.course.exercise import MARK, Check, Exercise

BEGIN, END = "# BEGIN HIDDEN TESTS", "# END HIDDEN TESTS"
FIXTURES = frozenset({"submission", "reference", "draw"})
LIKENESS = 0.6  # of a name to that of an exercise which may be meant: much is forgiven who asks


class CheckBroken(RuntimeError):
    """A check, or the file it stands in, does not work: the grader's own fault."""


class NoSuchExercise(ValueError):
    """An exercise was asked for that is not there."""


@dataclass(frozen=True, eq=False)
class Collected:
    """A check, with what its name, its arguments and its place in the file say about it."""

    function: Callable[..., None]
    fixtures: tuple[str, ...]
    check: Check
    assignment: str
    visible: bool

    @property
    def name(self) -> str:
        return self.function.__name__.removeprefix("test_")

    def run(self, **given: Any) -> None:
        """Run it on what its fixtures are to be: all of FIXTURES. Whatever it raises is raised."""
        self.function(**{name: given[name] for name in self.fixtures})

    def is_own(self, error: BaseException) -> bool:
        """Did the check itself raise this, rather than something that it called?"""
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

    @property
    def assignments(self) -> list[str]:
        """The assignments that have checks, in the order of the course."""
        return sorted({c.assignment for c in self.collected}, key=_place)

    def exercises(self, assignment: str) -> list[Exercise]:
        """An assignment's exercises, in the order of its checks."""
        checks = [c.check for c in self.collected if c.assignment == assignment]
        return list(dict.fromkeys(check.exercise for check in checks))

    def homes(self) -> dict[str, str]:
        """The assignment of each exercise, by its name, in the order of the course."""
        return {e.name: home for home in self.assignments for e in self.exercises(home)}

    def assert_known(self, names: Iterable[str]) -> None:
        """Raises NoSuchExercise where one is not the name of an exercise, and says which are."""
        homes = self.homes()
        for name in sorted(set(names) - homes.keys()):
            raise NoSuchExercise(f"There is no exercise {name}. {_meant(name, homes)}")

    def home(self, exercise: Exercise) -> str:
        """The assignment to which an exercise belongs."""
        return self._of[exercise.name][0].assignment

    def of(self, exercise: Exercise) -> list[Collected]:
        """An exercise's checks."""
        return self._of.get(exercise.name, [])

    def judge_of_layout(self, exercise: Exercise, collected: Collected) -> Collected | None:
        """The exercise's check of the layout of weights, if it is this one or one before it."""
        checks = self.of(exercise)
        until = checks[: checks.index(collected) + 1]
        return next((c for c in until if c.check.layout), None)

    def trial(self, exercise: Exercise) -> Trial | None:
        """What an exercise is tried on: the first trial of its name in its file, if any."""
        return self._trials.get(exercise.name)


def _meant(name: str, homes: Mapping[str, str]) -> str:
    """Which exercises may have been meant by a name, by their names and assignments."""
    if own := [exercise for exercise, home in homes.items() if home == name]:
        return f"It is an assignment, with {', '.join(own)}."
    if close := nearest(name, homes, LIKENESS):
        return f"Was {close} meant?"
    return f"The exercises are: {', '.join(homes)}."


def nearest(name: str, others: Iterable[str], likeness: float) -> str | None:
    """Of other names the one that may have been meant, whatever its capitals. likeness: 0 to 1."""
    by_small = {other.lower(): other for other in others}
    found = get_close_matches(name.lower(), by_small, n=1, cutoff=likeness)
    return by_small[found[0]] if found else None


def _place(assignment: str) -> int:
    """Where in the course an assignment stands; one that is not of the course, at its end."""
    names = course.assignments()
    return names.index(assignment) if assignment in names else len(names)


def collect(files: Iterable[Path] | None = None) -> Checks:
    """Collect the checks of some files, or of all that the course has. Raises CheckBroken."""
    files = course.check_files() if files is None else list(files)
    collected: list[Collected] = []
    trials: list[Trial] = []
    for path in files:
        module, hidden = _imported(path), _hidden(path)
        trials += [value for value in vars(module).values() if isinstance(value, Trial)]
        for name, function in vars(module).items():
            if name.startswith("test_") and inspect.isfunction(function):
                collected.append(_collected(path, function, hidden))
    if not collected:
        raise CheckBroken(f"{course.folder()}: there are no checks")
    return Checks(collected, trials)


def _imported(path: Path) -> ModuleType:
    """The module of a file of checks, which may import those of other assignments by their names,
    as pytest has it."""
    known = sys.modules.get(path.stem)
    if known and known.__file__ == str(path):
        return known
    sys.modules.pop(path.stem, None)  # of another course
    beside = [str(folder) for folder in {path.parent, *(f.parent for f in course.check_files())}]
    sys.path[:0] = beside
    try:
        return importlib.import_module(path.stem)
    except Exception as error:
        raise CheckBroken(f"{path}: {type(error).__name__}: {error}") from error
    finally:
        for folder in beside:
            sys.path.remove(folder)


def _collected(path: Path, function: Any, hidden: list[tuple[int, int]]) -> Collected:
    check = getattr(function, MARK, None)
    if check is None:
        raise CheckBroken(f"{path}: {function.__name__} is not declared as a check of an exercise")
    fixtures = tuple(inspect.signature(function).parameters)
    if unknown := sorted(set(fixtures) - FIXTURES):
        there = ", ".join(sorted(FIXTURES))
        raise CheckBroken(f"{path}: {function.__name__} asks for {unknown[0]}; there are {there}")
    first = function.__code__.co_firstlineno
    visible = not any(begin < first < end for begin, end in hidden)
    return Collected(function, fixtures, check, path.stem.removeprefix("test_"), visible)


def _hidden(path: Path) -> list[tuple[int, int]]:
    """The regions of a file of checks between the markers, as line numbers."""
    lines = [line.strip() for line in path.read_text(encoding="utf-8").splitlines()]
    begins = [i for i, line in enumerate(lines, 1) if line == BEGIN]
    ends = [i for i, line in enumerate(lines, 1) if line == END]
    ordered = [line for pair in zip(begins, ends, strict=False) for line in pair]
    if len(begins) != len(ends) or ordered != sorted(ordered):
        raise CheckBroken(f"{path}: {BEGIN} and {END} do not alternate")
    return list(zip(begins, ends, strict=True))
