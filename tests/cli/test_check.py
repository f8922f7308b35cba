"""The command behind check() and make watch: one verdict, and before it what is known early."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from autograder.cli.main import main
from autograder.course import assignments, solution
from autograder.course.misconceptions import misconceptions
from autograder.resident import verdicts
from autograder.resident.verdicts import Verdict

ASSIGNMENT = assignments()[0]
KNOWN = next(one for one in misconceptions(ASSIGNMENT) if not one.costs_no_points)
WRONG, RIGHT = KNOWN.source(solution(ASSIGNMENT)), solution(ASSIGNMENT)


@pytest.fixture
def said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Any:
    """Return the verdicts that are printed on a module, in turn."""

    def verdicts_on(text: str, notebook: str = "", **asked: object) -> list[dict[str, Any]]:
        (tmp_path / f"{ASSIGNMENT}.py").write_text(text, encoding="utf-8")
        if notebook:
            cell = {"cell_type": "code", "metadata": {}, "source": notebook, "outputs": []}
            document = {"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
            (tmp_path / f"{ASSIGNMENT}.ipynb").write_text(json.dumps(document), encoding="utf-8")
        given = {"folder": str(tmp_path), "cells": None, **asked}
        monkeypatch.setattr("sys.stdin", io.StringIO(json.dumps(given)))
        assert main(["check", KNOWN.exercise]) == 0
        return [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    return verdicts_on


def test_outcome_and_hint_are_said_before_the_example(said: Any) -> None:
    early, whole = said(WRONG, early=True)
    assert early["is_early"] and "is_early" not in whole
    assert early["outcomes"] == whole["outcomes"] == {KNOWN.exercise: "failed"}
    assert whole["text"].startswith(early["text"].rstrip("\n").partition("\n")[0])
    assert len(early["text"]) < len(whole["text"])
    assert "mallest example" in whole["text"] and "mallest example" not in early["text"]


def test_nothing_is_said_early_that_is_not_asked_for_or_may_change(said: Any) -> None:
    assert len(said(WRONG)) == 1
    assert len(said(RIGHT, early=True)) == 1
    assert len(said(WRONG, RIGHT, early=True)) == 1  # the better one of two counts


def test_whoever_waits_gets_the_early_verdict_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [json.dumps({"text": text, "is_early": text == "a"}) + "\n" for text in "ab"]
    seen: list[str] = []

    def ask(_: object, given: str, show: Any, at_once: bool) -> int:
        assert at_once and json.loads(given)["early"]
        for line in lines:
            show(line)
            seen.append("sent")
        return 0

    monkeypatch.delenv("AUTOGRADER_RESIDENT", raising=False)
    monkeypatch.setattr(verdicts, "ask", ask)
    found = verdicts.verdict("f", 1, ".", early=lambda one: seen.append(one.text))
    assert found == Verdict("b")
    assert seen == ["a", "sent", "sent"]
