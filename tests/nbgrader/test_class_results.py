"""Where a class stands is read from what nbgrader's course has autograded."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from course_in_nbgrader import generate, hand_in

from autograder.cli.main import main
from autograder.nbgrader.application import application
from autograder.nbgrader.autograde import autograde
from autograder.nbgrader.class_results import class_results
from autograder.nbgrader.places import places_of

NAME = "running_averages"
EXERCISE = "running_mean_loop"


@pytest.mark.dear
def test_a_class_in_nbgrader_is_shown(
    built_course: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = shutil.copytree(built_course, tmp_path / "course")
    app = application(folder)
    released = generate(app, NAME)
    right = json.dumps(released.filled())
    for student, text in {
        "anna": right,
        "ben": right.replace("return means", "return 2 * means"),
        "cleo": right.replace("return means", "return 2 * means") + " ",
        "dora": "no notebook",
    }.items():
        hand_in(app, student, released, text)
    autograde(app, NAME, "*", force=False)
    hand_in(app, "late", released)
    found = class_results(app, NAME)
    assert [one.submission for one in found.submissions] == ["anna", "ben", "cleo", "dora"]
    assert found.without == ["late"]
    assert found.message.startswith("1 of 5 have no result of today's kit: late. Run make auto")
    statuses = [one.status for one in found.submissions]
    assert statuses == ["graded", "graded", "graded", "unreadable"]
    examples = [exercise.example for one in found.submissions for exercise in one.exercises]
    assert any(examples)
    for mark in places_of(app.coursedir).results.iterdir():
        assert not any(student in mark.read_text("utf-8") for student in ("anna", "ben", "cleo"))
    monkeypatch.setattr("autograder.cli.class_page.NBGRADER", folder)
    out = tmp_path / "out"
    assert main(["class", f"--assignment={NAME}", f"--out={out}"]) == 3
    [group] = json.loads((out / NAME / "class.json").read_text("utf-8"))["groups"]
    assert (group["exercise"], group["students"]) == (EXERCISE, ["ben", "cleo"])
    shutil.rmtree(folder / "submitted" / "late")
    assert main(["class", f"--assignment={NAME}", f"--out={out}"]) == 0


def test_without_a_course_it_is_said_how_to_build_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("autograder.cli.class_page.NBGRADER", tmp_path)
    assert main(["class", f"--assignment={NAME}", f"--out={tmp_path / 'out'}"]) == 3
    said = capfd.readouterr().err
    assert said == f"{tmp_path} is not an nbgrader course. Build one with make course.\n"
