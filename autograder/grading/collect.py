"""Collect the checks with pytest, and run them one at a time.

pytest finds them, rewrites their assertions and reports what is broken. Running them is left
to the grader: for its loop over submissions pytest's own protocol has no room and no need.
"""

from __future__ import annotations

import contextlib
import inspect
import os
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from autograder.exercise import MARK, Check, Exercise

BEGIN, END = "# BEGIN HIDDEN TESTS", "# END HIDDEN TESTS"
FIXTURES = frozenset({"submission", "reference", "draw"})
NOT_NEEDED = (
    "terminal", "cacheprovider", "logging", "faulthandler", "warnings", "doctest", "junitxml",
    "unraisableexception", "threadexception", "pastebin", "stepwise", "setuponly", "setupplan",
    "debugging", "tmpdir", "monkeypatch", "recwarn", "skipping", "legacypath", "unittest",
)  # fmt: skip


class CheckBroken(RuntimeError):
    """A check, or the file it stands in, does not work: the grader's own fault."""


@dataclass(frozen=True)
class Collected:
    """A check as pytest found it; assertions in it have been rewritten to say more."""

    function: Callable[..., None]
    check: Check
    assignment: str
    visible: bool

    @property
    def name(self) -> str:
        return self.function.__name__.removeprefix("test_")

    def is_own(self, error: BaseException) -> bool:
        """Did the check itself raise this, rather than something that it called?"""
        *_, (innermost, _) = traceback.walk_tb(error.__traceback__)
        return innermost.f_code.co_filename == self.function.__code__.co_filename

    def run(self, **given: Any) -> None:
        """Run it on what its fixtures are to be: all of FIXTURES. Whatever it raises is raised."""
        names = inspect.signature(self.function).parameters
        self.function(**{name: given[name] for name in names})


class Checks:
    """All checks of the course, and the way to run one. Also the plug-in that pytest sees."""

    def __init__(self) -> None:
        self.collected: list[Collected] = []
        self.broken: list[str] = []

    def exercises(self, assignment: str) -> list[Exercise]:
        """An assignment's exercises, in the order of its checks."""
        checks = [c.check for c in self.collected if c.assignment == assignment]
        return list(dict.fromkeys(check.exercise for check in checks))

    def home(self, exercise: Exercise) -> str:
        """The assignment to which an exercise belongs."""
        return next(c.assignment for c in self.collected if c.check.exercise == exercise)

    def of(self, exercise: Exercise) -> list[Collected]:
        """An exercise's checks."""
        return [c for c in self.collected if c.check.exercise == exercise]

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.broken.append(f"{report.nodeid}: {report.longreprtext}")

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        for item in session.items:
            try:
                self.collected.append(_collected(item))
            except CheckBroken as broken:
                self.broken.append(str(broken))


def collect(folder: Path) -> Checks:
    """Collect the checks in a folder. Raises CheckBroken when a file of checks does not work."""
    checks = Checks()
    options = ["--collect-only", "--capture=no", "--disable-plugin-autoload"]
    options += [f"-pno:{name}" for name in NOT_NEEDED]
    with _no_options_from_outside():
        code = pytest.main([str(folder), *options], plugins=[checks])
    if checks.broken or code != pytest.ExitCode.OK:
        raise CheckBroken(
            "\n".join(checks.broken) or f"{folder}: there are no checks (pytest: {code!r})"
        )
    return checks


def _collected(item: pytest.Item) -> Collected:
    check = getattr(getattr(item, "function", None), MARK, None)
    if not isinstance(item, pytest.Function) or check is None:
        raise CheckBroken(f"{item.nodeid} is not declared as a check of an exercise")
    if unknown := set(inspect.signature(item.function).parameters) - FIXTURES:
        names = ", ".join(sorted(unknown))
        raise CheckBroken(f"{item.nodeid} asks for {names}; there are {sorted(FIXTURES)}")
    first = item.function.__code__.co_firstlineno
    visible = not any(begin < first < end for begin, end in _hidden(item.path))
    return Collected(item.function, check, item.path.stem.removeprefix("test_"), visible)


@contextlib.contextmanager
def _no_options_from_outside() -> Iterator[None]:
    kept = os.environ.pop("PYTEST_ADDOPTS", None)
    try:
        yield
    finally:
        if kept is not None:
            os.environ["PYTEST_ADDOPTS"] = kept


@cache
def _hidden(path: Path) -> list[tuple[int, int]]:
    """The regions of a file of checks between the markers, as line numbers."""
    lines = [line.strip() for line in path.read_text(encoding="utf-8").splitlines()]
    begins = [i for i, line in enumerate(lines, 1) if line == BEGIN]
    ends = [i for i, line in enumerate(lines, 1) if line == END]
    ordered = [line for pair in zip(begins, ends, strict=False) for line in pair]
    if len(begins) != len(ends) or ordered != sorted(ordered):
        raise CheckBroken(f"{path}: {BEGIN} and {END} do not alternate")
    return list(zip(begins, ends, strict=True))
