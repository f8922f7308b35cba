"""Tests with nbgrader's commands: submissions that change or are refused, and changed points."""

from __future__ import annotations

import csv
import dataclasses
import json
import os
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from conftest import Command, contents, points, points_by_exercise
from course_in_nbgrader import Nbgrader, decide, generate, grade_nothing, hand_in, job, nbgrader_in
from damage import Released
from nbgrader.api import Gradebook
from nbgrader.apps.api import NbGraderAPI

from autograder.checking.collect import Checks
from autograder.classroom.results import Results
from autograder.nbgrader import course_folder as course
from autograder.nbgrader.application import application
from autograder.nbgrader.course_folder import build
from autograder.nbgrader.places import places_of

pytestmark = [
    pytest.mark.dear,
    pytest.mark.skipif(os.name != "posix", reason="has no such files, and no lock"),
]
NAME = "running_averages"
FULL = points(NAME)
MOST = points_by_exercise(NAME)
FIRST = next(iter(MOST))
PIPE = 1 << 16  # bytes that Linux keeps for a reader
REST = FULL - MOST[FIRST]  # points of the other exercises


def rows(folder: Path) -> dict[str, dict[str, str]]:
    """Return nbgrader's export of the assignment by student."""
    with (folder / "grades.csv").open(encoding="utf-8") as file:
        return {row["student_id"]: row for row in csv.DictReader(file) if row["assignment"] == NAME}


def scores(folder: Path) -> dict[str, float]:
    with Gradebook(f"sqlite:///{folder}/gradebook.db", "attention") as gradebook:
        return {one.student.id: one.score for one in gradebook.find_assignment(NAME).submissions}


# Submissions that are refused, replaced and graded again by the engine itself


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, built_course: Path) -> Path:
    """Make the course in which the tests of this section do one step after another."""
    return shutil.copytree(built_course, tmp_path_factory.mktemp("again") / "course")


@pytest.fixture(scope="module")
def nbgrader(folder: Path) -> Nbgrader:
    return nbgrader_in(folder)


@pytest.fixture(scope="module")
def released(folder: Path) -> Released:
    return generate(application(folder), NAME)


@pytest.fixture(scope="module")
def collected(folder: Path, released: Released, nbgrader: Nbgrader) -> Path:
    """Write the downloads: anna's is right, ben has written nothing, emil's is cut off."""
    archive = folder / "downloaded" / NAME / "archive"
    archive.mkdir(parents=True)
    right = json.dumps(released.filled())
    texts = {"anna": right, "ben": json.dumps(released.notebook), "emil": right[:2000]}
    for student, text in texts.items():
        (archive / f"{student}_{NAME}.ipynb").write_text(text)
    assert "3 files collected" in nbgrader("zip_collect", NAME)
    assert "ERROR" not in nbgrader("autograde", NAME)
    assert "ERROR" not in nbgrader("generate_feedback", NAME)
    return archive


@pytest.mark.dear
def test_who_was_refused_is_to_be_looked_at(
    folder: Path, collected: Path, nbgrader: Nbgrader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The formgrader, the feedback and the export show it differently from an earned zero."""
    nbgrader("export")
    found = rows(folder)
    assert {s: row["status"] for s, row in found.items()} == {
        "anna": "graded",
        "ben": "graded",
        "emil": "refused",
    }
    assert (found["ben"]["score"], found["emil"]["score"]) == ("0.0", "0.0")
    assert {row["optional"] for row in found.values()} == {""}
    monkeypatch.setattr("autograder.nbgrader.export.is_optional", lambda name: name == NAME)
    nbgrader("export")
    assert {row["optional"] for row in rows(folder).values()} == {"yes"}
    with Gradebook(f"sqlite:///{folder}/gradebook.db", "attention") as gradebook:
        emil, ben = (gradebook.find_submission_notebook(NAME, NAME, s) for s in ("emil", "ben"))
        assert (emil.needs_manual_grade, ben.needs_manual_grade) == (True, False)
        comments = [comment.auto_comment for comment in emil.comments if comment.auto_comment]
        assert [said[:45] for said in comments] == [f"Refused: ` {NAME}/{NAME}.ipynb"[:45]]
    page = (folder / "feedback" / "emil" / NAME / f"{NAME}.html").read_text()
    assert "Refused: " in page
    assert "No response." not in page


@pytest.mark.dear
def test_what_is_handed_in_again_is_graded_again(
    folder: Path, released: Released, collected: Path, nbgrader: Nbgrader
) -> None:
    """No file has a time, so the content decides. Equal submissions are not graded again."""
    places = places_of(application(folder).coursedir)
    before = places.graded("anna", NAME).stat().st_mtime_ns
    right = json.dumps(released.filled())
    (collected / f"ben_{NAME}.ipynb").write_text(right)
    assert "3 files collected" in nbgrader("zip_collect", NAME, "--force")
    (folder / "submitted" / "emil" / NAME / f"{NAME}.ipynb").write_text(right)  # by hand
    assert shown_as_autograded(folder) == {"anna": True, "ben": False, "emil": False}
    assert "ERROR" not in nbgrader("autograde", NAME)
    assert scores(folder) == {"anna": FULL, "ben": FULL, "emil": FULL}
    assert {*shown_as_autograded(folder).values()} == {True}
    assert places.graded("anna", NAME).stat().st_mtime_ns == before
    nbgrader("export")
    assert {row["status"] for row in rows(folder).values()} == {"graded"}
    assert "ERROR" not in nbgrader("generate_feedback", NAME)
    for student in ("ben", "emil"):
        page = (folder / "feedback" / student / NAME / f"{NAME}.html").read_text()
        assert f"Score: {FULL} / {FULL}" in page
        assert "Refused: " not in page


def shown_as_autograded(folder: Path) -> dict[str, bool]:
    """Return the formgrader's status of each submission."""
    app = application(folder)
    found = NbGraderAPI(app.coursedir, parent=app).get_submissions(NAME)
    return {one["student"]: one["autograded"] for one in found}


@pytest.mark.dear
def test_lost_results_are_made_again(folder: Path, collected: Path, command: Command) -> None:
    """The folder may hold results of an earlier kit, which cannot be read."""
    results = places_of(application(folder).coursedir).results
    for path in results.iterdir():
        path.write_text('{"sum": "", "result": {}}')
    done = command("nbgrader", "autograde", NAME, "--course", folder)
    assert f"{NAME}: 3 graded, 0 refused, 0 need staff" in done.stdout
    assert Results(results).get(job(application(folder), "anna", NAME).digest)


def test_the_time_of_what_was_handed_in_before_is_forgotten(
    folder: Path, released: Released, collected: Path, nbgrader: Nbgrader
) -> None:
    """A time that stayed would mean a penalty, and a request to autograde that never ends.

    A time that cannot be read counts as none: the formgrader would show a traceback for it.
    """
    place = hand_in(application(folder), "fay", released)
    (place / "timestamp.txt").write_text("2026-01-01 10:00:00 UTC")
    for expected in (True, False):
        assert "ERROR" not in nbgrader("autograde", NAME, "--student=fay")
        with Gradebook(f"sqlite:///{folder}/gradebook.db", "attention") as gradebook:
            assert bool(gradebook.find_submission(NAME, "fay").timestamp) is expected
            assert shown_as_autograded(folder)["fay"]
        (place / "timestamp.txt").write_text("yesterday")


def test_a_new_gradebook_is_filled(
    folder: Path, built_course: Path, collected: Path, nbgrader: Nbgrader
) -> None:
    """The earlier run wrote into another gradebook."""
    before = scores(folder)
    (folder / "gradebook.db").rename(folder / "backup.db")
    shutil.copy(built_course / "gradebook.db", folder)
    try:
        assert "ERROR" not in nbgrader("generate_assignment", NAME, "--force")
        assert "ERROR" not in nbgrader("autograde", NAME)
        assert scores(folder) == before
        assert before["anna"] == FULL
    finally:
        (folder / "backup.db").replace(folder / "gradebook.db")


def test_a_class_that_hands_in_what_was_graded_before(
    folder: Path, released: Released, collected: Path, command: Command
) -> None:
    """Together it is more than a pipe holds, and nothing of it is left to grade."""
    text = json.dumps(released.filled())
    class_ = [f"same{number}" for number in range(2 * PIPE // len(text) + 2)]
    for student in class_:
        hand_in(application(folder), student, released)
    done = command("nbgrader", "autograde", NAME, "--course", folder, "--student=same*")
    assert f"{NAME}: {len(class_)} graded, 0 refused, 0 need staff" in done.stdout
    assert {scores(folder)[student] for student in class_} == {FULL}


# Changed points; results are made up here


class Other:
    """A course whose first exercise gets other points after grading."""

    def __init__(self, folder: Path, patched: pytest.MonkeyPatch) -> None:
        self.folder = folder
        self.app = application(folder)
        self.released = generate(self.app, NAME)
        self._patched = patched
        grade_nothing(patched)
        for student, text in (("anna", ""), ("ben", "# begun\n"), ("cleo", "# also\n")):
            hand_in(self.app, student, self.released)
            if text:
                (folder / "submitted" / student / NAME / f"{NAME}.py").write_text(text)
        self.have("first", MOST[FIRST], {"anna": MOST[FIRST], "ben": 1.0, "cleo": 2.0})

    def have(self, edition: str, most: float, got: dict[str, float]) -> None:
        """Set another edition of the course."""
        self._patched.setattr("autograder.nbgrader.intake.edition", lambda: edition)
        full = {exercise: (given, given) for exercise, given in MOST.items()}
        for student, scored in got.items():
            decide(self.app, job(self.app, student, NAME), {**full, FIRST: (scored, most)})

    def raise_points(self, checks: Checks) -> None:
        """Add one point to a check; full scores stay full."""
        first = next(c for c in checks.collected if c.check.exercise.name == FIRST)
        check = dataclasses.replace(first.check, points=first.check.points + 1)
        changed = dataclasses.replace(first, check=check)
        made = checks.in_order([changed if c is first else c for c in checks.collected])
        self._patched.setattr(course, "collect", lambda *_: made)
        most = MOST[FIRST] + 1
        self.have("second", most, {"anna": most, "ben": 1.0, "cleo": 2.0})

    def state(self) -> tuple[list[str], dict[str, bytes]]:
        with sqlite3.connect(self.folder / "gradebook.db") as database:
            dump = list(database.iterdump())
        kept: dict[str, bytes] = {}
        for step in ("source", "release", "autograded"):
            kept |= {f"{step}/{k}": v for k, v in contents(self.folder / step).items()}
        return dump, kept

    def points(self) -> tuple[float, float]:
        """Return the sums of points in the gradebook and in the released notebook."""
        with Gradebook(f"sqlite:///{self.folder}/gradebook.db", "attention") as gradebook:
            by_gradebook = gradebook.find_assignment(NAME).max_score
        notebook = places_of(self.app.coursedir).released(NAME)
        graded = [c for c in notebook.cells if c.metadata.get("nbgrader", {}).get("grade")]
        return by_gradebook, sum(c.metadata.nbgrader.points for c in graded)


@pytest.fixture(scope="module")
def autograded(
    tmp_path_factory: pytest.TempPathFactory, built_course: Path
) -> Iterator[tuple[Path, str]]:
    target = shutil.copytree(built_course, tmp_path_factory.mktemp("points") / "course")
    with pytest.MonkeyPatch.context() as patched:
        Other(target, patched)
        said = nbgrader_in(target)("autograde", NAME)
    yield target, said


@pytest.fixture
def other(
    autograded: tuple[Path, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, checks: Checks
) -> Other:
    made = Other(shutil.copytree(autograded[0], tmp_path / "course"), monkeypatch)
    assert "ERROR" not in autograded[1]
    assert scores(made.folder) == {"anna": FULL, "ben": REST + 1, "cleo": REST + 2}
    made.raise_points(checks)
    return made


def test_nothing_is_autograded_while_points_differ(other: Other, command: Command) -> None:
    before = other.state()
    old, new = f"{MOST[FIRST]:g}", f"{MOST[FIRST] + 1:g}"
    said = f"{FIRST} has {old} points in the gradebook and {new} by its checks. Run make regrade "
    done = command("nbgrader", "autograde", NAME, "--course", other.folder)
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.startswith(said)
    assert len(done.stderr.splitlines()) == 1
    logged = nbgrader_in(other.folder)("autograde", NAME)
    assert said in logged
    assert "Traceback" not in logged
    assert other.state() == before


def test_a_regrade_takes_points_over_as_nbgrader_would(other: Other, command: Command) -> None:
    """One undo restores everything."""
    before = other.state()
    arguments = ("nbgrader", "regrade", NAME, "--course", other.folder)
    dry = command(*arguments, "--dry")
    assert other.state() == before
    done = command(*arguments)
    assert done.stdout.splitlines()[0] == (
        f"{FIRST}: {MOST[FIRST]:g} -> {MOST[FIRST] + 1:g} points at most"
    )
    assert done.stdout.splitlines()[:-2] == dry.stdout.splitlines()[:-1]
    assert f"nbgrader release_assignment {NAME} --force" in done.stdout
    assert scores(other.folder) == {"anna": FULL + 1, "ben": REST + 1, "cleo": REST + 2}
    assert other.points() == (FULL + 1, FULL + 1)
    after = other.state()
    build(other.folder)
    assert "ERROR" not in nbgrader_in(other.folder)("generate_assignment", NAME, "--force")
    assert other.state() == after
    page = feedback(other, "anna")
    assert f"Score: {FULL + 1} / {FULL + 1}" in page
    assert "by its checks" not in page
    assert command("nbgrader", "undo", "--course", other.folder).returncode == 0
    assert other.state() == before


def feedback(other: Other, student: str) -> str:
    assert "ERROR" not in nbgrader_in(other.folder)("generate_feedback", NAME)
    return (other.folder / "feedback" / student / NAME / f"{NAME}.html").read_text()


@pytest.mark.dear
def test_points_that_nbgrader_has_taken_over_are_graded(other: Other, command: Command) -> None:
    """Do by hand what a regrade does: make course, generate_assignment --force, make autograde."""
    assert build(other.folder) == [f"wrote source/{NAME}/{NAME}.ipynb"]
    assert "ERROR" not in nbgrader_in(other.folder)("generate_assignment", NAME, "--force")
    assert other.points() == (FULL + 1, FULL + 1)
    done = command("nbgrader", "autograde", NAME, "--course", other.folder)
    assert done.returncode == 0
    assert (
        "3 are regraded: the kit or secret that graded them, or a comment, is another"
        in done.stdout
    )
    assert scores(other.folder) == {"anna": FULL + 1, "ben": REST + 1, "cleo": REST + 2}
    assert f"Score: {FULL + 1} / {FULL + 1}" in feedback(other, "anna")
    assert command("nbgrader", "undo", "--course", other.folder).returncode == 0
    assert scores(other.folder)["anna"] == FULL


def test_manual_scores_and_comments_outlive_other_points(other: Other, command: Command) -> None:
    with Gradebook(f"sqlite:///{other.folder}/gradebook.db", "attention") as gradebook:
        gradebook.find_grade(FIRST, NAME, NAME, "ben").manual_score = 3.5
        comment = gradebook.find_comment(f"{FIRST}-answer", NAME, NAME, "ben")
        comment.manual_comment = "Nearly."
        gradebook.db.commit()
    assert command("nbgrader", "regrade", NAME, "--course", other.folder).returncode == 0
    assert "Nearly." in feedback(other, "ben")
    assert scores(other.folder)["ben"] == 3.5 + REST


def test_other_exercises_are_not_taken_over(other: Other, command: Command) -> None:
    place = places_of(other.app.coursedir).released_notebook(NAME)
    notebook = nbformat.read(place, as_version=4)
    notebook.cells = [
        cell
        for cell in notebook.cells
        if cell.metadata.get("nbgrader", {}).get("grade_id") != FIRST
    ]
    nbformat.write(notebook, place)
    before = other.state()
    done = command("nbgrader", "regrade", NAME, "--course", other.folder)
    assert done.returncode == 3
    assert done.stderr.startswith(f"{NAME} was released without {FIRST}. A regrade can")
    assert len(done.stderr.splitlines()) == 1
    assert other.state() == before
