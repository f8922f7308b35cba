"""Tests of messages of the nbgrader commands when something is missing."""

from __future__ import annotations

import ast
import errno
import io
import os
import re
import shutil
from collections.abc import Iterable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from conftest import Command
from course_in_nbgrader import nbgrader_in
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from nbformat import from_dict
from nbformat.v4 import new_code_cell, new_notebook

from autograder.classroom.grading_jobs import GradeJobs
from autograder.classroom.jobs import Job
from autograder.classroom.results import GradingSettings, Result
from autograder.course import root
from autograder.nbgrader import engine, process
from autograder.nbgrader.autograde import UNFINISHED, Summary
from autograder.nbgrader.course_folder import build
from autograder.nbgrader.effects import Change, Effect, RegradePlan
from autograder.nbgrader.export import Export
from autograder.nbgrader.intake import Folders
from autograder.nbgrader.process import Order
from autograder.sandbox import SandboxFailed

NAME = "running_averages"


@pytest.mark.dear
def test_a_gradebook_without_the_assignment_is_one_sentence(
    command: Command, tmp_path: Path
) -> None:
    """nbgrader itself would show a traceback for each student."""
    build(tmp_path)
    shutil.copytree(tmp_path / "source", tmp_path / "release")
    done = command("nbgrader", "autograde", NAME, "--course", str(tmp_path))
    assert done.returncode == 3
    assert f"The gradebook does not know {NAME}, though it is released." in done.stderr
    assert "Traceback" not in done.stderr


def test_nothing_handed_in_is_said(tmp_path: Path) -> None:
    assert Folders(tmp_path / "submitted").students(NAME) == []
    [line] = Summary(NAME).lines()
    assert line.startswith(f"{NAME}: no submission is there")


def test_lines_fit_a_terminal() -> None:
    summary = Summary(NAME, ["anna"], {"emil": "It is no notebook. " * 9}, {"fay": UNFINISHED})
    change = Change(
        "ben", "running_mean_loop", 1.0, 2.0, "Gives the mean: failed, now passed; " * 3
    )
    for lines in ([*summary.lines()], [*RegradePlan(NAME, effect=Effect([change])).lines()]):
        assert all(len(line) <= 80 for line in lines)
    assert list(summary.lines())[1].startswith("  refused  emil: It is")


def test_why_staff_must_look_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Results that staff must look at are not stored, so their reason is printed at once."""
    (tmp_path / "anna" / NAME).mkdir(parents=True)
    (tmp_path / "anna" / NAME / f"{NAME}.py").write_text("x = 1")
    job = Folders(tmp_path).job("anna", NAME)
    lost = GradeJobs(GradingSettings(True, 10.0, 1)).given_up(job, "It died.")

    def grade_all(jobs: Iterable[Job], *_: object, **__: object) -> dict[str, Result]:
        assert [*jobs] == [job]
        return {job.digest: lost}

    monkeypatch.setattr(process, "grade_all", grade_all)
    order, sent = Order(str(tmp_path / "results"), (job.digest,), lost.settings), io.BytesIO()
    process.send(sent, order, [job])
    assert process.serve(io.BytesIO(sent.getvalue()), io.StringIO())
    assert capsys.readouterr().err == "anna: It died. Your code is not at fault: grade it again.\n"


@pytest.mark.parametrize("reason", ["it did not start", "it did not start."])
def test_why_no_process_can_grade_is_said(reason: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def grade_all(*_: object, **__: object) -> dict[str, Result]:
        raise SandboxFailed(reason)

    monkeypatch.setattr(process, "grade_all", grade_all)
    sent, said = io.BytesIO(), io.StringIO()
    process.send(sent, Order("results", (), GradingSettings(True, 10.0, 1)), [])
    assert not process.serve(io.BytesIO(sent.getvalue()), said)
    assert said.getvalue() == (
        "Nothing can be graded here: it did not start. Run make doctor, which may say what to do."
    )


def test_the_names_of_files_in_a_comment_are_text() -> None:
    """nbgrader's pages render comments as Markdown."""
    answer = {"schema_version": 3, "grade_id": "a", "grade": False, "solution": True}
    cell = new_code_cell("", metadata=from_dict({"nbgrader": {**answer, "checksum": ""}}))
    comment = SimpleNamespace(name="a", auto_comment=None)
    kept: Any = SimpleNamespace(grades=[], comments=[comment])
    names = "<img src=x onerror=alert(1)>.py, [x](javascript:alert(1)).py"
    engine.record(kept, new_notebook(cells=[cell]), set(), f"anna holds several files ({names}).")
    assert comment.auto_comment
    renderer = IPythonRenderer(escape=False)
    shown = MarkdownWithMath(renderer).render(comment.auto_comment)
    assert "&lt;img src=x onerror=alert(1)&gt;.py, [x](javascript:alert(1)).py" in shown
    assert "<img" not in shown and "<a" not in shown


def test_why_feedback_cannot_be_released_is_said(built_course: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(built_course, tmp_path / "course")
    for student in ("anna", "ben"):
        for step in ("feedback", "submitted"):
            (folder / step / student / NAME).mkdir(parents=True)
        (folder / "feedback" / student / NAME / "timestamp.txt").touch()
    (folder / "submitted" / "ben" / NAME / "submission_secret.txt").touch()
    said = nbgrader_in(folder)("release_feedback", NAME)
    assert "anna gets no feedback through the exchange, since the work came in another way" in said
    assert "ben gets no feedback through the exchange, since submission_secret.txt of the" in said


# Documents


LEAST = 10  # characters that tell a sentence from others
ENGINE = root() / "autograder"
GUIDE = (ENGINE / "INSTRUCTORS.md").read_text(encoding="utf-8")


def pieces_of_sentences() -> list[str]:
    """Return the fixed parts of all texts in the engine."""
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in ENGINE.rglob("*.py")]
    texts = [
        node.value
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    found = [piece.strip() for text in texts for piece in re.split(r"%\w|\{[^}]*\}", text)]
    return [*found, os.strerror(errno.ENOSPC)]


def quoted() -> list[str]:
    """Return the messages that the guide quotes: in its last table, and of our log lines."""
    table = GUIDE.partition("\n## Messages\n")[2]
    lines = re.findall(r"^\[\w+App \| (?:WARNING|ERROR)\] (.*)", GUIDE, re.MULTILINE)
    return [*re.findall(r"^\| `([^`]+)` \|", table, re.MULTILINE), *lines]


@pytest.mark.dear
def test_each_message_that_is_quoted_can_appear() -> None:
    pieces = [piece for piece in pieces_of_sentences() if len(piece) >= LEAST]
    assert len(quoted()) > 10
    for message in quoted():
        assert any(piece in message or message.strip("… .") in piece for piece in pieces), message
    assert f"Using exporter: {Export.__name__}\n" in GUIDE
