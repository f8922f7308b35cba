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
from autograder.nbgrader.process import Order
from autograder.nbgrader.regrade import apply, plan, undo
from autograder.nbgrader.trouble import CannotRun
from autograder.report.comments import group

NAME = "running_averages"
EXERCISE = "running_mean_loop"


@pytest.fixture(scope="module")
def autograded(tmp_path_factory: pytest.TempPathFactory, built_course: Path) -> Path:
    """Return a course with an autograded class, and somebody who was not autograded."""
    folder = shutil.copytree(built_course, tmp_path_factory.mktemp("class") / "course")
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
    return folder


@pytest.mark.dear
def test_a_class_in_nbgrader_is_shown(
    autograded: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = shutil.copytree(autograded, tmp_path / "course")
    app = application(folder)
    found = class_results(app, NAME)
    assert [one.submission for one in found.submissions] == ["anna", "ben", "cleo", "dora"]
    assert found.without == ["late"]
    assert found.message.startswith("1 of 5 have no result of today's kit: late. Run make auto")
    statuses = [one.status for one in found.submissions]
    assert statuses == ["graded", "graded", "graded", "unreadable"]
    assert any(exercise.example for one in found.submissions for exercise in one.exercises)
    for kept in places_of(app.coursedir).results.iterdir():
        assert not any(student in kept.read_text("utf-8") for student in ("anna", "ben", "cleo"))
    monkeypatch.setattr("autograder.cli.class_page.NBGRADER", folder)
    out = tmp_path / "out"
    assert main(["class", f"--assignment={NAME}", f"--out={out}"]) == 3
    [group] = json.loads((out / NAME / "class.json").read_text("utf-8"))["groups"]
    assert (group["exercise"], group["students"]) == (EXERCISE, ["ben", "cleo"])
    shutil.rmtree(folder / "submitted" / "late")
    assert main(["class", f"--assignment={NAME}", f"--out={out}"]) == 0


@pytest.mark.dear
def test_a_comment_on_a_group_is_in_the_feedback_of_all_in_it(
    autograded: Path, tmp_path: Path
) -> None:
    folder = shutil.copytree(autograded, tmp_path / "course")
    shutil.rmtree(folder / "submitted" / "late")
    app = application(folder)
    ben = next(one for one in class_results(app, NAME).submissions if one.submission == "ben")
    failed = next(one for one in ben.exercises if one.name == EXERCISE)
    name = group(failed.misconceptions, failed.alike)
    before = feedback(folder)
    file = folder / "comments.toml"
    file.write_text(f'[{EXERCISE}]\n"{name}" = "We look at it on Monday."\n')
    for text, students in (("on Monday", {"ben", "cleo"}), ("on Tuesday", {"ben", "cleo"})):
        file.write_text(file.read_text().replace("on Monday", text))
        planned = plan(app, NAME)
        assert planned.results.keys() == students
        assert (planned.effect.changes, planned.effect.rows) == ([], [])
        apply(app, planned)
        assert {s for s, written in feedback(folder).items() if text in written} == students
        assert plan(app, NAME).is_empty
    autograde(app, NAME, "*", force=True)
    assert {s for s, written in feedback(folder).items() if "Tuesday" in written} == students
    file.unlink()
    apply(app, plan(app, NAME))
    assert feedback(folder) == before
    undo(app)
    assert {s for s, written in feedback(folder).items() if "Tuesday" in written} == students
    autograde(app, NAME, "*", force=False)  # repeats it, as undo says
    assert feedback(folder) == before
    file.write_text("[Nothing]")
    with pytest.raises(CannotRun, match="there is no exercise Nothing"):
        plan(app, NAME)


@pytest.mark.dear
def test_it_can_be_said_how_many_processes_grade(
    autograded: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = shutil.copytree(autograded, tmp_path / "course")
    orders: list[Order] = []

    def send(incoming: object, order: Order, jobs: object) -> None:
        orders.append(order)

    monkeypatch.setattr("autograder.nbgrader.preparing.send", send)
    asked = ["nbgrader", "autograde", NAME, f"--course={folder}"]
    for more, processes in ([], None), (["--jobs=5"], 5):
        assert main([*asked, *more]) == 3  # the grading process gets no order
        assert orders.pop().processes == processes
    with pytest.raises(SystemExit):
        main([*asked, "--jobs=0"])


def feedback(folder: Path) -> dict[str, str]:
    """Return the outputs of all graded cells by student."""
    found = {}
    for path in sorted(folder.glob(f"autograded/*/{NAME}/{NAME}.ipynb")):
        cells = json.loads(path.read_text("utf-8"))["cells"]
        found[path.parts[-3]] = json.dumps([cell.get("outputs") for cell in cells])
    return found


def test_without_a_course_it_is_said_how_to_build_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("autograder.cli.class_page.NBGRADER", tmp_path)
    assert main(["class", f"--assignment={NAME}", f"--out={tmp_path / 'out'}"]) == 3
    said = capfd.readouterr().err
    assert said == f"{tmp_path} is not an nbgrader course. Build one with make course.\n"
