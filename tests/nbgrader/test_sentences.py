"""Tests of messages of the nbgrader commands when something is missing."""

from __future__ import annotations

import io
import shutil
from collections.abc import Iterable
from pathlib import Path

import pytest
from conftest import Command

from autograder.classroom.jobs import Job
from autograder.classroom.results import GradingSettings, Result
from autograder.classroom.worker import given_up
from autograder.nbgrader import process
from autograder.nbgrader.autograde import UNFINISHED, Summary
from autograder.nbgrader.course_folder import build
from autograder.nbgrader.effects import Change, Effect, RegradePlan
from autograder.nbgrader.intake import Folders
from autograder.nbgrader.process import Order

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
    """Such results are not stored, so nobody could find the reason later."""
    (tmp_path / "anna" / NAME).mkdir(parents=True)
    (tmp_path / "anna" / NAME / f"{NAME}.py").write_text("x = 1")
    job = Folders(tmp_path).job("anna", NAME)
    lost = given_up(job, GradingSettings(True, 10.0, 1), "It died.")

    def grade_all(jobs: Iterable[Job], *_: object, **__: object) -> dict[str, Result]:
        assert [*jobs] == [job]
        return {job.digest: lost}

    monkeypatch.setattr(process, "grade_all", grade_all)
    order, sent = Order(str(tmp_path / "results"), (job.digest,), lost.settings), io.BytesIO()
    process.send(sent, order, [job])
    assert process.serve(io.BytesIO(sent.getvalue()), io.StringIO())
    assert capsys.readouterr().err == "anna: It died. Your code is not at fault: grade it again.\n"
