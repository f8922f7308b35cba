"""The command behind check() and make watch: one verdict, and before it what is known early."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from autograder.checking.collect import collect
from autograder.cli.main import main
from autograder.course import assignments, solution
from autograder.course.misconceptions import misconceptions
from autograder.grading import in_turn
from autograder.grading.grade import Grade
from autograder.resident import verdicts
from autograder.resident.verdicts import Verdict
from autograder.submissions.submission import Submission

ASSIGNMENT = assignments()[0]
KNOWN = next(one for one in misconceptions(ASSIGNMENT) if not one.costs_no_points)
WRONG, RIGHT = KNOWN.source(solution(ASSIGNMENT)), solution(ASSIGNMENT)


@pytest.fixture
def said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Any:
    """Return the verdicts that are printed on a module, in turn."""

    def verdicts_on(
        text: str, notebook: str = "", every: bool = False, **asked: object
    ) -> list[dict[str, Any]]:
        (tmp_path / f"{ASSIGNMENT}.py").write_text(text, encoding="utf-8")
        if notebook:
            cell = {"cell_type": "code", "metadata": {}, "source": notebook, "outputs": []}
            document = {"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
            (tmp_path / f"{ASSIGNMENT}.ipynb").write_text(json.dumps(document), encoding="utf-8")
        given = {"folder": str(tmp_path), "cells": None, **asked}
        monkeypatch.setattr("sys.stdin", io.StringIO(json.dumps(given)))
        assert main(["check", *([] if every else [KNOWN.exercise])]) == 0
        return [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    return verdicts_on


@pytest.mark.dear
def test_outcome_and_hint_are_said_before_the_example(said: Any) -> None:
    early, whole = said(WRONG, early=True)
    assert early["is_early"] and "is_early" not in whole
    assert early["outcomes"] == whole["outcomes"] == {KNOWN.exercise: "failed"}
    assert whole["text"].startswith(early["text"].rstrip("\n").partition("\n")[0])
    assert len(early["text"]) < len(whole["text"])
    assert "mallest example" in whole["text"] and "mallest example" not in early["text"]


@pytest.mark.dear
def test_nothing_is_said_early_that_is_not_asked_for_or_may_change(said: Any) -> None:
    assert len(said(WRONG)) == 1
    assert len(said(RIGHT, early=True)) == 1
    assert len(said(WRONG, RIGHT, early=True)) == 1  # the better one of two counts


FAILURE = "Judging its answers took more than 60 s."


@pytest.fixture
def unjudged(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first submission of each call cannot be graded."""

    grade = in_turn.grade

    def failing(found: list[Submission], *others: Any, **more: Any) -> list[Grade]:
        first, *rest = grade(found, *others, **more)
        return [replace(first, status="needs_staff", exercises=(), message=FAILURE), *rest]

    monkeypatch.setattr(in_turn, "grade", failing)


@pytest.mark.usefixtures("unjudged")
def test_what_cannot_be_graded_says_why(said: Any) -> None:
    assert said(RIGHT, early=True) == [{"text": FAILURE}]


@pytest.mark.dear
@pytest.mark.usefixtures("unjudged")
def test_what_cannot_be_graded_hides_no_other_part(said: Any) -> None:
    """Of an assignment with one exercise in a cell, and the others in its file."""
    cell = f"def {KNOWN.exercise}(x):\n    return x\n"
    [found] = said(RIGHT, cells=[["In [1]", cell, ""]], every=True)
    names = {one.name for one in collect().exercises(ASSIGNMENT)} - {KNOWN.exercise}
    assert names and {found["outcomes"][name] for name in names} == {"passed"}
    assert FAILURE in " ".join(found["text"].split())


@pytest.mark.parametrize("length", [1, 20, 1000])
def test_whoever_waits_gets_the_early_verdict_at_once(
    length: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In whatever pieces the lines come; some are empty."""
    lines = [json.dumps({"text": text, "is_early": text == "a"}) + "\n" for text in "ab"]
    seen: list[str] = []

    def ask(_: object, given: str, show: Any, at_once: bool) -> int:
        assert at_once and json.loads(given)["early"]
        for line in lines:
            for start in range(0, len(line) + length, length):
                show(line[start : start + length])
            show("")
            seen.append("sent")
        return 0

    monkeypatch.delenv("AUTOGRADER_RESIDENT", raising=False)
    monkeypatch.setattr(verdicts, "ask", ask)
    found = verdicts.verdict("f", 1, ".", early=lambda one: seen.append(one.text))
    assert found == Verdict("b")
    assert seen == ["a", "sent", "sent"]
