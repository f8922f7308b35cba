"""The rooms: each imports only those below it, and none makes a circle."""

from __future__ import annotations

from importlinter import cli

from autograder.course import root


def test_no_room_looks_up() -> None:
    """As pyproject.toml has it, in [tool.importlinter]."""
    assert cli.lint_imports(config_filename=str(root() / "pyproject.toml"), no_cache=True) == 0
