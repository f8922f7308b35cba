"""The verdict on a student's own work where there is no resident grader, or where it is lost."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from autograder.course import solution
from autograder.report.streams import Screen
from autograder.resident import verdicts
from autograder.resident.verdicts import SILENT, Verdict, verdict

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="runs scripts of a shell")
EXERCISE, ASSIGNMENT = "running_mean_loop", "running_averages"


def replace_python(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a script of the shell be the grader."""
    script = tmp_path / "python"
    script.write_text(f"#!/bin/sh\n{text}\n")
    script.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(script))


@pytest.mark.dear
def test_it_is_printed_for_the_terminal_of_who_asks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = solution(ASSIGNMENT).replace(".mean(", ".sum(")
    (tmp_path / f"{ASSIGNMENT}.py").write_text(wrong, encoding="utf-8")
    texts = []
    for screen in (Screen(), Screen(True, 50)):
        monkeypatch.setattr(verdicts, "screen", lambda found=screen: found)
        texts.append(verdict(EXERCISE, 1, str(tmp_path)).text)
    assert ["\x1b[31m" in text for text in texts] == [False, True]
    assert max(map(len, texts[0].splitlines())) > 60
    plain = re.sub(r"\x1b\[[0-9;]*m", "", texts[1])
    assert max(map(len, plain.splitlines())) <= 50


def test_what_no_grader_ends_is_not_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The resident one is lost after an early verdict, and so is the one in its place."""

    def ask(arguments: list[str], given: str, show: Callable[[str], object], at_once: bool) -> None:
        show('{"text": "early", "is_early": true}\n')

    monkeypatch.setattr(verdicts, "ask", ask)
    monkeypatch.setenv("AUTOGRADER_RESIDENT", "1")
    replace_python("kill -9 $$", tmp_path, monkeypatch)
    assert verdict(EXERCISE, 1, str(tmp_path)).text == SILENT


def test_what_a_newer_kit_says_besides_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The kit was updated below an open notebook, or below make watch."""

    def ask(arguments: list[str], given: str, show: Callable[[str], object], at_once: bool) -> int:
        show('{"text": "early", "is_early": true, "new": 1}\n{"text": "whole", "new": 1}\n')
        return 0

    monkeypatch.setattr(verdicts, "ask", ask)
    monkeypatch.setenv("AUTOGRADER_RESIDENT", "1")
    early: list[Verdict] = []
    found = verdict(EXERCISE, 1, str(tmp_path), early=early.append)
    assert (early, found) == ([Verdict("early", is_early=True)], Verdict("whole"))


def test_a_complaint_in_another_encoding_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace_python(r"printf 'Jos\351 is no folder.\n' >&2; exit 3", tmp_path, monkeypatch)
    assert verdict(EXERCISE, 1, str(tmp_path)).text == "Jos\N{REPLACEMENT CHARACTER} is no folder."
