"""Each verdict is shown, also one whose value IPython drops."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from autograder.notebook.displaying import displayed

PRECISE = sys.version_info >= (3, 11)  # whether calls in one line are told apart


@displayed
def check(name: str = "") -> str:
    return f"verdict on {name}"


# Cells, and the names of which display() shows the verdict.
CELLS = {
    "the last line": ("check('a')", ""),
    "above the last line": ("check('a')\ncheck('b')", "a"),
    "above a definition": ("check('a')\ndef f(): pass", "a"),
    "in a loop": ("for one in 'ab':\n    check(one)", "ab"),
    "in a function": ("def all_of():\n    check('a')\nall_of()", "a"),
    "in a branch": ("if True:\n    check('a')", "a"),
    "in several lines": ("check(\n    'a'\n)\ncheck('b')", "a"),
    "kept": ("kept = check('a')\nx = 1", ""),
    "an argument": ("print(check('a'))\nx = 1", ""),
    "a part of a list": ("[check(one) for one in 'ab']\nx = 1", ""),
}


@pytest.mark.parametrize("how", CELLS)
def test_what_ipython_drops_is_displayed(
    how: str, shell: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    text, names = CELLS[how]
    assert displays(shell, text, monkeypatch) == [f"verdict on {name}" for name in names]


@pytest.mark.skipif(not PRECISE, reason="Python says only which line runs")
def test_calls_in_one_line_are_told_apart(shell: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    assert displays(shell, "check('a'); check('b')", monkeypatch) == ["verdict on a"]


def test_where_ipython_shows_all_values_nothing_is_added(
    shell: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shell, "ast_node_interactivity", "all")
    assert displays(shell, "check('a')\ncheck('b')", monkeypatch) == []


def test_outside_of_ipython_nothing_is_displayed(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[object] = []
    monkeypatch.setattr("IPython.display.display", shown.append)
    check("a")
    assert not shown


def displays(shell: Any, text: str, monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Run a cell. Returns what was given to display()."""
    shown: list[object] = []
    monkeypatch.setattr("IPython.display.display", shown.append)
    monkeypatch.setattr("IPython.core.getipython.get_ipython", lambda: shell)
    shell.user_ns["check"] = check
    assert shell.run_cell(text, store_history=True).success
    return shown
