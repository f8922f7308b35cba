"""Tests of autograding with nbgrader: every kind of damage, and the same scores as make grade."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import nbformat
import pytest
from conftest import points
from course_in_nbgrader import generate, hand_in, job
from damage import ALL, FOLDERS, KINDS, Damage, Released, of_folder
from damage.released import ASSIGNMENT, MARKER, by_exercise
from damaged_data import CONTENTS, put_damaged
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_notebook
from nbgrader.api import Gradebook
from nbgrader.apps import AutogradeApp
from nbgrader.apps.api import NbGraderAPI
from nbgrader.utils import determine_grade, is_grade

from autograder.checking.collect import Checks
from autograder.classroom.results import Feedback, GradingSettings, Result
from autograder.course.misconceptions import misconceptions
from autograder.grading.grade import CheckGrade, ExerciseGrade, Grade, Outcome
from autograder.grading.grader import Grader
from autograder.nbgrader import engine, preparing
from autograder.nbgrader.application import application
from autograder.nbgrader.autograde import Summary, autograde, lines_on_misplaced, summary
from autograder.nbgrader.places import Places, places_of
from autograder.nbgrader.trouble import CannotRun
from autograder.sandbox import Sandbox
from autograder.submissions import ids
from autograder.submissions.finding import find

posix = pytest.mark.skipif(os.name != "posix", reason="has no such files, and no lock")
FULL = points(ASSIGNMENT)


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory, built_course: Path) -> Iterator[AutogradeApp]:
    """Make a course."""
    folder = shutil.copytree(built_course, tmp_path_factory.mktemp("autograde") / "course")
    with (folder / "nbgrader_config.py").open("a") as file:
        file.write("c.SubmissionExporter.seconds = 1.0\n")
    yield application(folder)
    shutil.rmtree(folder, ignore_errors=True)  # some of what is handed in is large


@pytest.fixture(scope="module")
def released(app: AutogradeApp) -> Released:
    return generate(app, ASSIGNMENT)


@pytest.fixture
def gradebook(app: AutogradeApp) -> Iterator[Gradebook]:
    with Gradebook(app.coursedir.db_url, "attention") as opened:
        yield opened


# Damage; test_damage.py tests the grade of each case


def student(damage: Damage) -> str:
    """Return a unique student id for each case."""
    return damage.student if damage.student != "anna" else f"d{ALL.index(damage):03d}"


def make(damage: Damage, released: Released, app: AutogradeApp) -> None:
    """Hand in the submission of a case."""
    place = places_of(app.coursedir).submitted / student(damage) / released.assignment
    place.mkdir(parents=True)
    damage.make(place, released)


@pytest.mark.dear
@posix
def test_every_kind_of_damage_is_graded_or_refused(
    app: AutogradeApp, gradebook: Gradebook, released: Released
) -> None:
    """All cases are in one run, and none stops another."""
    cases = [*KINDS, *FOLDERS]
    for damage in cases:
        make(damage, released, app)
    summary = autograde(app, ASSIGNMENT, "*", force=False)
    assert not summary.staff
    for damage in cases:
        assert_as_expected(damage, summary, app, gradebook)
    said = [line for line in summary.lines() if line not in summary.notes]
    first, *others = said
    counts = f"{len(summary.graded)} graded, {len(summary.refused)} refused, 0 need staff"
    assert first == f"{ASSIGNMENT}: {counts}"
    assert sum(line.startswith("  refused ") for line in others) == len(summary.refused)
    assert all(len(line) <= 80 and "\x1b" not in line for line in others)


@pytest.mark.dear
@posix
def test_whatever_is_damaged_nbgrader_reads_what_was_released(
    app: AutogradeApp, released: Released
) -> None:
    """Only answers contain students' text."""
    given = places_of(app.coursedir).released(ASSIGNMENT)
    for damage in ALL:
        if damage not in [*KINDS, *FOLDERS]:
            make(damage, released, app)
            laid_out = preparing._laid_out(given, job(app, student(damage), ASSIGNMENT))
            nbformat.validate(laid_out)
            assert theirs(laid_out) == theirs(given), damage.name
            shutil.rmtree(places_of(app.coursedir).submitted / student(damage))


def theirs(notebook: NotebookNode) -> list[object]:
    """Return nbgrader's metadata of cells, and the texts of all cells except answers."""
    marked = [(c.source, c.metadata.get("nbgrader", {})) for c in notebook.cells]
    return [(marks, "" if marks.solution else text) for text, marks in marked if marks]


def assert_as_expected(
    damage: Damage, summary: Summary, app: AutogradeApp, gradebook: Gradebook
) -> None:
    name = student(damage)
    assert (name in summary.graded) + (name in summary.refused) == 1, damage.name
    is_graded = damage.graded and damage is not of_folder.module_is_a_link  # nbgrader takes no link
    assert (name in summary.graded) is is_graded, damage.name
    if not is_id(name):
        assert "cannot be a student's id" in summary.refused[name], damage.name
        return
    kept = gradebook.find_submission_notebook(ASSIGNMENT, ASSIGNMENT, name)
    points = {grade.name: (grade.auto_score, grade.max_score) for grade in kept.grades}
    assert kept.needs_manual_grade is (name in summary.refused), damage.name
    path = places_of(app.coursedir).graded(name, ASSIGNMENT)
    page = path.read_text("utf-8")
    assert {p.name for p in path.parent.iterdir()} <= {path.name, "timestamp.txt"}, damage.name
    if name in summary.refused:
        assert kept.score == 0, damage.name
        [first, *_] = nbformat.reads(page, 4).cells
        assert summary.refused[name][:20] in first.source, damage.name  # which the student sees
    else:
        zero = {exercise for exercise, (got, _) in points.items() if got == 0}
        assert zero == {*damage.lost}, damage.name
        rest = [both for exercise, both in points.items() if exercise not in damage.lost]
        assert all(got == most for got, most in rest), damage.name
    assert "root:x:0" not in page, damage.name  # of a file to which there was a link


def is_id(name: str) -> bool:
    try:
        ids.checked(name)
    except ids.NoId:
        return False
    return True


# The same scores as make grade


@pytest.mark.dear
@posix
def test_scores_are_those_of_make_grade(
    app: AutogradeApp,
    gradebook: Gradebook,
    checks: Checks,
    sandbox: Sandbox,
    solutions: dict[str, str],
) -> None:
    """Compare right solutions and every fifth misconception, as notebooks and as modules."""
    name = "multi_head"
    released, places = generate(app, name), places_of(app.coursedir)
    texts = {m.id: m.source(solutions[name]) for m in misconceptions(name)[::5]}
    for i, (of, text) in enumerate({"right": solutions[name], **texts}.items()):
        written = MARKER.sub("", text)
        filled = Released(name, released.notebook, by_exercise(written, name))
        folder = hand_in(app, f"w{i:02d}-{of}", filled)
        if i % 3 == 2:
            (folder / f"{name}.ipynb").unlink()
            (folder / f"{name}.py").write_text(written)
        (folder / "attention_layer.py").write_text(solutions["attention_layer"])
    done = autograde(app, name, "*", force=False)
    assert len(done.graded) == len(texts) + 1
    grader, scores = Grader(checks, sandbox, frozenset()), set()
    for of in done.graded:
        [submission] = find(places.submitted / of, name)
        expected = {e.name: e.points for e in grader.grade(submission).exercises}
        kept = gradebook.find_submission_notebook(name, name, of)
        assert {grade.name: grade.auto_score for grade in kept.grades} == expected, of
        scores.add(kept.score)
    assert len(scores) > 3


@posix
def test_modules_of_earlier_assignments_are_those_that_the_student_handed_in(
    app: AutogradeApp, solutions: dict[str, str]
) -> None:
    """Earlier assignments are in their own folders if they are not handed in again."""
    folder = places_of(app.coursedir).submitted / "erna"
    for name in ("attention_layer", "multi_head"):
        (folder / name).mkdir(parents=True)
        (folder / name / f"{name}.py").write_text(solutions[name])
    files = {*job(app, "erna", "multi_head").files}
    assert files == {"multi_head.py", "attention_layer/attention_layer.py"}
    assert {*job(app, "erna", "attention_layer").files} == {"attention_layer.py"}


@posix
@pytest.mark.dear
def test_the_formgraders_button_grades_one_student(
    app: AutogradeApp, gradebook: Gradebook, released: Released, solutions: dict[str, str]
) -> None:
    hand_in(app, "frida", released)
    module = hand_in(app, "gert", released)
    (module / released.file).unlink()
    (module / f"{ASSIGNMENT}.py").write_text(solutions[ASSIGNMENT])
    api = NbGraderAPI(app.coursedir, parent=app)
    assert api.autograde(ASSIGNMENT, "frida")["success"]
    assert api.autograde(ASSIGNMENT, "gert")["success"]  # though there is no notebook
    for name in ("frida", "gert"):
        assert gradebook.find_submission(ASSIGNMENT, name).score == FULL


@pytest.mark.dear
def test_a_folder_that_may_not_be_entered_stops_nobody(
    app: AutogradeApp, released: Released, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Raise the error that root, as whom these tests may run, would not get."""

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    hand_in(app, "hilda", released)
    for module in ("preparing", "autograde"):
        monkeypatch.setattr(f"autograder.nbgrader.{module}.add_notebook", refuse)
    assert autograde(app, ASSIGNMENT, "hilda", force=False).graded == ["hilda"]


def test_without_a_release_it_is_one_sentence(app: AutogradeApp) -> None:
    with pytest.raises(CannotRun, match="nbgrader generate_assignment transformer first"):
        autograde(app, "transformer", "*", force=False)


def test_with_a_damaged_release_it_is_one_sentence(
    app: AutogradeApp, released: Released, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = places_of(app.coursedir).released(ASSIGNMENT)
    made.cells += [cell for cell in made.cells if is_grade(cell)]  # two of each
    monkeypatch.setattr(Places, "released", lambda *_: made)
    with pytest.raises(CannotRun, match=r"Duplicate grade id: .* generate_assignment"):
        autograde(app, ASSIGNMENT, "*", force=False)


@pytest.mark.parametrize("kind", [*CONTENTS, "a folder"])
def test_whatever_lies_in_the_place_of_the_release_is_one_sentence(
    kind: str, app: AutogradeApp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / f"{ASSIGNMENT}.ipynb"
    monkeypatch.setattr(Places, "released_notebook", lambda *_: path)
    put_damaged(path, kind)
    with pytest.raises(CannotRun, match=rf"{ASSIGNMENT}\.ipynb"):
        autograde(app, ASSIGNMENT, "*", force=False)


def test_where_nobody_is_meant_it_says_what_to_do(app: AutogradeApp, released: Released) -> None:
    [said] = autograde(app, ASSIGNMENT, "nobody", force=False).lines()
    assert said.startswith(f"{ASSIGNMENT}: no submission is there; run nbgrader collect")


def test_the_summary_says_how_many_were_not_locked_in() -> None:
    said = list(Summary(ASSIGNMENT, ["anna", "ben"], unlocked=2).lines())
    assert said[1] == "  unlocked 2 of them: their code could do what you can"


# Outputs that nbgrader reads


@pytest.mark.parametrize("points", [0.0, 0.1 + 0.2, 1 / 3, 2.0, 3.0])
def test_nbgrader_reads_the_points(points: float) -> None:
    notebook = graded(3.0)
    assert engine.write(notebook, result(exercise(points, 3.0))) == set()
    assert determine_grade(notebook.cells[0]) == (points, 3.0)


def test_who_was_graded_unlocked_reads_it() -> None:
    for locked, said in ((True, []), (False, ["Graded unlocked."])):
        notebook, found = graded(3.0), result(exercise(3.0, 3.0))
        engine.write(notebook, replace(found, grade=replace(found.grade, locked=locked)))
        assert [c.source for c in notebook.cells if c.cell_type == "markdown"] == said


@pytest.mark.parametrize("others", [[], [("Other", 3.0)], [("One", 4.0)]], ids=str)
def test_where_there_is_no_result_a_person_must_look(others: list[tuple[str, float]]) -> None:
    notebook = graded(3.0)
    found = result(*(exercise(1.0, most, name) for name, most in others))
    assert engine.write(notebook, found) == {"One"}
    assert "a person must look" in notebook.cells[0].source or "4 by its checks" in (
        notebook.cells[0].source
    )


def graded(points: float) -> NotebookNode:
    """Return a notebook with one graded cell."""
    cell = new_code_cell("assert one")
    cell.metadata["nbgrader"] = {"grade": True, "grade_id": "One", "points": points}
    cell.metadata["nbgrader"] |= {"solution": False, "locked": True, "schema_version": 3}
    return nbformat.from_dict(new_notebook(cells=[cell]))


def exercise(points: float, most: float, name: str = "One") -> ExerciseGrade:
    got = CheckGrade("got", "Is there", Outcome.PASSED, points, visible=True)
    lost = CheckGrade("lost", "Is right", Outcome.FAILED, most - points, visible=True)
    return ExerciseGrade(name, (got, lost))


def result(*exercises: ExerciseGrade) -> Result:
    feedback = {one.name: Feedback("<div>Tried.</div>", "Tried.") for one in exercises}
    grade = Grade("", "", ASSIGNMENT, "graded", exercises, locked=True)
    settings = GradingSettings(True, 10.0, 1)
    return Result("digest", "edition", settings, grade, feedback, Feedback("", ""))


@pytest.mark.dear
@posix
def test_what_is_handed_in_again_during_a_run_is_said(
    app: AutogradeApp, released: Released
) -> None:
    """Work that is replaced during a run is graded as it was at the start, and needs no staff."""
    places = places_of(app.coursedir)
    folder = hand_in(app, "gus", released)
    try:
        assert autograde(app, ASSIGNMENT, "gus", force=False).graded == ["gus"]
        hand_in(app, "gus", released, json.dumps(released.notebook))
        found = summary(places, ASSIGNMENT, "gus", {"gus"})
        said = " ".join(" ".join(found.lines()).split())
        assert "gus was handed in again meanwhile, and graded as before" in said
        assert not found.staff and not found.graded
    finally:
        shutil.rmtree(folder.parent)


@posix
def test_an_engine_that_is_ended_warns_of_nothing() -> None:
    """Python's own process for semaphores would, after the command has ended."""
    code = (
        "import multiprocessing, os; kept = multiprocessing.get_context('spawn').Lock(); "
        "os.kill(os.getpid(), 9)"
    )
    for options, warns in (((), True), (preparing.QUIET, False)):
        run = subprocess.run(
            [sys.executable, *options, "-c", code], stderr=subprocess.PIPE, check=False
        )
        assert (b"leaked semaphore" in run.stderr) is warns


def test_what_lies_beside_the_folders_of_students_is_in_the_summary(app: AutogradeApp) -> None:
    places = places_of(app.coursedir)
    path = places.submitted / "zed\x1b[31m.ipynb"
    path.parent.mkdir(exist_ok=True)
    path.touch()
    try:
        said = " ".join(summary(places, ASSIGNMENT, "zed*", set()).lines())
        assert f"is not graded: move it to submitted/STUDENT/{ASSIGNMENT}/." in said
        assert "\x1b" not in said and "no submission is there" in said
        assert "move it" not in " ".join(summary(places, ASSIGNMENT, "nobody*", set()).lines())
    finally:
        path.unlink()


def test_of_many_files_of_one_student_in_the_wrong_place_few_are_named() -> None:
    names = [f"zed/{number}.py" for number in range(3000)]
    few, many = (
        " ".join(lines_on_misplaced(Path("submitted"), ASSIGNMENT, names[:count]))
        for count in (3, 3000)
    )
    assert all(name in few for name in names[:3]) and "either" not in few
    assert many.startswith(few) and len(many) < 1000
    assert many.endswith("2995 more files in submitted/zed are not graded either.")
