"""Collect the checks with pytest, and run one of them on what the grader gives it."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from _pytest.runner import runtestprotocol

from autograder.channel import Course
from autograder.comparison import Draw
from autograder.exercise import MARK, Check, Exercise

BEGIN, END = "# BEGIN HIDDEN TESTS", "# END HIDDEN TESTS"
NOT_NEEDED = (
    "terminal", "cacheprovider", "logging", "faulthandler", "warnings", "doctest", "junitxml",
    "unraisableexception", "threadexception", "pastebin", "stepwise", "setuponly", "setupplan",
    "debugging", "tmpdir", "monkeypatch", "recwarn", "skipping", "legacypath", "unittest",
)  # fmt: skip


class CheckBroken(RuntimeError):
    """A check, or the file it stands in, does not work: the grader's own fault."""


@dataclass(frozen=True)
class Collected:
    """A check as pytest found it."""

    item: pytest.Function
    check: Check
    assignment: str
    visible: bool

    @property
    def name(self) -> str:
        return self.item.name.removeprefix("test_")


@dataclass
class Given:
    """What the fixtures of a check give it while it runs."""

    submission: Course
    reference: Course
    draw: Draw


class Checks:
    """All checks of the course, and the way to run one. Also the plug-in that pytest sees."""

    def __init__(self, work: Callable[[Checks], None]) -> None:
        self.collected: list[Collected] = []
        self._work = work
        self._given: Given | None = None
        self._error: BaseException | None = None
        self._broken: list[str] = []

    def run(self, collected: Collected, given: Given) -> None:
        """Run a check. Whatever it raises is raised."""
        self._given, self._error = given, None
        reports = runtestprotocol(collected.item, log=False)
        for report in reports:
            if report.failed:  # a fixture that does not exist, say
                raise CheckBroken(f"{collected.item.nodeid}: {report.longreprtext}")
        if self._error is not None:
            raise self._error

    def exercises(self, assignment: str) -> list[Exercise]:
        """An assignment's exercises, in the order of its checks."""
        checks = [c.check for c in self.collected if c.assignment == assignment]
        return list(dict.fromkeys(check.exercise for check in checks))

    def of(self, exercise: Exercise) -> list[Collected]:
        """An exercise's checks."""
        return [c for c in self.collected if c.check.exercise == exercise]

    @pytest.fixture
    def submission(self) -> Course:
        assert self._given
        return self._given.submission

    @pytest.fixture
    def reference(self) -> Course:
        assert self._given
        return self._given.reference

    @pytest.fixture
    def draw(self) -> Draw:
        assert self._given
        return self._given.draw

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self._broken.append(f"{report.nodeid}: {report.longreprtext}")

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        for item in session.items:
            check = getattr(getattr(item, "function", None), MARK, None)
            if not isinstance(item, pytest.Function) or check is None:
                self._broken.append(f"{item.nodeid} is not declared as a check of an exercise")
                continue
            first = item.function.__code__.co_firstlineno
            visible = not any(begin < first < end for begin, end in _hidden(item.path))
            assignment = item.path.stem.removeprefix("test_")
            self.collected.append(Collected(item, check, assignment, visible))

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        if not self._broken:
            self._work(self)
        return True

    def pytest_pyfunc_call(self, pyfuncitem: pytest.Function) -> bool:
        """Keep what a check raises, instead of having it rendered for nobody."""
        names = pyfuncitem._fixtureinfo.argnames
        try:
            pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names})
        except Exception as error:
            self._error = error
        return True


def with_checks(folder: Path, work: Callable[[Checks], None]) -> None:
    """Collect the checks in a folder and do some work with them, inside pytest's session.

    Raises what the work raises, and CheckBroken when a file of checks does not work.
    """
    raised: list[BaseException] = []

    def guarded(checks: Checks) -> None:
        try:
            work(checks)
        except BaseException as error:
            raised.append(error)

    checks = Checks(guarded)
    options = [f"-pno:{name}" for name in NOT_NEEDED]
    with _no_options_from_outside():
        code = pytest.main(
            [str(folder), "--capture=no", "--disable-plugin-autoload", *options], plugins=[checks]
        )
    if raised:
        raise raised[0]
    if checks._broken or code not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        raise CheckBroken("\n".join(checks._broken) or f"pytest ended with {code!r}")


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
    ordered = [line for pair in zip(begins, ends) for line in pair]
    if len(begins) != len(ends) or ordered != sorted(ordered):
        raise CheckBroken(f"{path}: {BEGIN} and {END} do not alternate")
    return list(zip(begins, ends, strict=True))

