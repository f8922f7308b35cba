"""A check was mended: what would change, change it, undo it; and a run that is killed."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

import nbformat
import pytest
from course_in_nbgrader import decide, generate, hand_in, job
from nbgrader.api import Gradebook
from nbgrader.apps import AutogradeApp

from autograder.nbgrader import regrade, run
from autograder.nbgrader.application import application
from autograder.nbgrader.autograding import autograde
from autograder.nbgrader.regrade import CannotUndo, Change, apply, plan, undo
from autograder.nbgrader.run import of_course

NAME = "running_averages"
MOST = 4.0
EXERCISES = ("running_mean_loop", "running_mean_matmul", "running_mean_softmax")
BEFORE = {"anna": 4.0, "ben": 1.0, "cleo": 2.0}  # for the first exercise
AFTER = {"anna": 4.0, "ben": 4.0, "cleo": 1.5}


@pytest.fixture(scope="module")
def autograded(tmp_path_factory: pytest.TempPathFactory, built_course: Path) -> Path:
    """A course in which three were autograded, by an edition in which a check was wrong."""
    folder = shutil.copytree(built_course, tmp_path_factory.mktemp("regrade") / "course")
    app = application(folder)
    released = generate(app, NAME)
    for student in BEFORE:
        write(hand_in(app, student, released) / released.file, f"# {student}")
    with pytest.MonkeyPatch.context() as patched:
        in_edition(app, patched, "first", BEFORE)
        assert autograde(app, NAME, "*", force=False).graded == [*BEFORE]
    return folder


@pytest.fixture
def app(autograded: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AutogradeApp:
    """That course, with a check that was mended since."""
    made = application(shutil.copytree(autograded, tmp_path / "course"))
    in_edition(made, monkeypatch, "second", AFTER)
    return made


def write(path: Path, source: str) -> None:
    """Write something into the last cell: what is alike would have one result."""
    notebook = nbformat.read(path, 4)
    notebook.cells[-1].source = source
    nbformat.write(notebook, path)


def in_edition(
    app: AutogradeApp, patched: pytest.MonkeyPatch, edition: str, points: dict[str, float]
) -> None:
    """From now on grading is that of another edition, in which all has been decided here."""
    for module in (run, regrade):
        patched.setattr(module, "grade", lambda *_: None)
    patched.setattr("autograder.nbgrader.intake.edition", lambda: edition)
    first, *others = EXERCISES
    for student, got in points.items():
        rest = dict.fromkeys(others, (MOST, MOST))
        decide(app, job(app, student, NAME), {first: (got, MOST), **rest})


def dump(app: AutogradeApp) -> list[str]:
    """The whole gradebook, as text."""
    with sqlite3.connect(f"{app.coursedir.root}/gradebook.db") as database:
        return list(database.iterdump())


def scores(app: AutogradeApp) -> dict[str, float]:
    with Gradebook(app.coursedir.db_url, "attention") as gradebook:
        found = gradebook.find_assignment(NAME).submissions
        return {one.student.id: one.score - 2 * MOST for one in found}


def notebooks(app: AutogradeApp) -> dict[str, bytes]:
    places = of_course(app.coursedir)
    return {student: places.graded(student, NAME).read_bytes() for student in BEFORE}


def test_a_plan_says_who_gains_and_loses_and_why(app: AutogradeApp) -> None:
    before = dump(app), notebooks(app)
    planned = plan(app, NAME)
    why = "Is right: failed, now passed"
    assert planned.changes == [
        Change("ben", EXERCISES[0], 1.0, 4.0, why),
        Change("cleo", EXERCISES[0], 2.0, 1.5, ""),
    ]
    said = list(planned.lines())
    assert said[:2] == [f"ben  {EXERCISES[0]}: 1 -> 4", f"    {why}"]
    assert said[-1].startswith(f"{NAME}: 1 gain 3 points, 1 lose 0.5; of 3 ")
    assert (dump(app), notebooks(app)) == before


def test_what_is_applied_can_be_undone(app: AutogradeApp) -> None:
    before = dump(app), notebooks(app)
    apply(app, plan(app, NAME))
    assert scores(app) == AFTER
    assert all(b"running_mean_loop: 4" in n for s, n in notebooks(app).items() if s == "ben")
    assert not plan(app, NAME).changes
    assert undo(app) == NAME
    assert (dump(app), notebooks(app)) == before
    with pytest.raises(CannotUndo, match="no regrade"):
        undo(app)


def test_what_people_have_decided_stays(app: AutogradeApp) -> None:
    with Gradebook(app.coursedir.db_url, "attention") as gradebook:
        grade = gradebook.find_grade(EXERCISES[0], NAME, NAME, "ben")
        grade.manual_score, grade.extra_credit = 2.5, 0.5
        comment = gradebook.find_comment("running_mean_loop-answer", NAME, NAME, "ben")
        comment.manual_comment = "Nearly."
        gradebook.db.commit()
    before = dump(app)
    apply(app, plan(app, NAME))
    with Gradebook(app.coursedir.db_url, "attention") as gradebook:
        grade = gradebook.find_grade(EXERCISES[0], NAME, NAME, "ben")
        assert (grade.auto_score, grade.manual_score, grade.extra_credit) == (4.0, 2.5, 0.5)
        assert grade.needs_manual_grade
        comment = gradebook.find_comment("running_mean_loop-answer", NAME, NAME, "ben")
        assert comment.manual_comment == "Nearly."
    undo(app)
    assert dump(app) == before


def test_what_was_changed_since_is_not_undone(app: AutogradeApp) -> None:
    apply(app, plan(app, NAME))
    with Gradebook(app.coursedir.db_url, "attention") as gradebook:
        gradebook.find_grade(EXERCISES[0], NAME, NAME, "ben").auto_score = 0.5
        gradebook.db.commit()
    before = dump(app), notebooks(app)
    with pytest.raises(CannotUndo, match=r"ben, running_mean_loop: auto_score is 0\.5"):
        undo(app)
    assert (dump(app), notebooks(app)) == before


def test_who_handed_in_anew_is_left_to_autograde(app: AutogradeApp) -> None:
    write(of_course(app.coursedir).submitted / "ben" / NAME / f"{NAME}.ipynb", "# another")
    planned = plan(app, NAME)
    assert planned.left == {"ben": regrade.ANEW}
    assert {change.student for change in planned.changes} == {"cleo"}


def test_a_regrade_that_broke_off_is_finished_or_undone(
    app: AutogradeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = dump(app), notebooks(app)
    with monkeypatch.context() as patched:
        patched.setattr(regrade, "_rewrite", broken)
        with pytest.raises(OSError, match="full"):
            apply(app, plan(app, NAME))
    assert scores(app) == AFTER  # but the notebooks say otherwise
    planned = plan(app, NAME)
    assert (planned.changes, {*planned.results}) == ([], {*BEFORE})
    apply(app, planned)
    assert b"running_mean_loop: 4" in notebooks(app)["ben"]
    undo(app)
    undo(app)
    assert (dump(app), notebooks(app)) == before


def broken(*_: object) -> None:
    raise OSError("the disk is full")


def test_the_penalty_for_being_late_follows_the_points(
    app: AutogradeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Gradebook(app.coursedir.db_url, "attention") as gradebook:
        gradebook.update_or_create_assignment(NAME, duedate="2026-01-01 10:00:00")
        gradebook.update_or_create_submission(NAME, "ben", timestamp="2026-01-02 10:00:00")
    app.config.LateSubmissionPlugin.penalty_method = "zero"
    before = dump(app)
    apply(app, plan(app, NAME))
    with Gradebook(app.coursedir.db_url, "attention") as gradebook:
        kept = gradebook.find_submission_notebook(NAME, NAME, "ben")
        assert kept.late_submission_penalty == kept.score == 2 * MOST + 4
    undo(app)
    assert dump(app) == before
