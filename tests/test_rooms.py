"""The rooms: each imports only those below it, and what they raise has one base class."""

from __future__ import annotations

import inspect

import error_tree
from importlinter import cli

from autograder.course import root
from autograder.cpu_limit import OutOfTime
from autograder.errors import AutograderError

WITH_STUDENT_CODE = ("autograder.child.", "autograder.runtime.")


def test_no_room_looks_up() -> None:
    """The order of the rooms is that of [tool.importlinter] in pyproject.toml."""
    assert cli.lint_imports(config_filename=str(root() / "pyproject.toml"), no_cache=True) == 0


def test_all_errors_of_the_engine_are_in_one_tree() -> None:
    """Rooms that run beside a student's code raise subclasses of Python's exceptions."""
    found = {
        error
        for module in error_tree.modules()
        for _, error in inspect.getmembers(module, inspect.isclass)
        if issubclass(error, BaseException) and error.__module__ == module.__name__
    }
    assert any(error.__module__.startswith(WITH_STUDENT_CODE) for error in found)
    for error in found - {OutOfTime}:  # like KeyboardInterrupt, no Exception
        in_tree = issubclass(error, AutograderError)
        assert in_tree != error.__module__.startswith(WITH_STUDENT_CODE), error
