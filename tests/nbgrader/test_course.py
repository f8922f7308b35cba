"""Tests of the nbgrader course: building it, and nbgrader's whole cycle."""

from __future__ import annotations

import csv
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
from conftest import Command, GradeText, contents, points, points_by_exercise, written
from course_in_nbgrader import Nbgrader, nbgrader_in
from given_away import needles, strings
from nbformat import NotebookNode
from nbgrader.api import Gradebook

from autograder import course
from autograder.checking.collect import Checks
from autograder.course import assignments, skeleton, solution, statement
from autograder.course.exercise import Exercise
from autograder.course.misconceptions import misconceptions
from autograder.kit.notebook import notebook
from autograder.nbgrader import notebooks
from autograder.nbgrader.course_folder import build
from autograder.nbgrader.notebooks import CannotBeGraded, ids, source_notebook
from autograder.submissions.source_text import DEMONSTRATION, code_lines, read_source

Texts = dict[str, str]
NAME = "running_averages"
MOST = points_by_exercise(NAME)
FULL = points(NAME)
FIRST, SECOND, *_, LAST = MOST


# Building


@pytest.fixture(scope="module")
def made(checks: Checks) -> dict[str, NotebookNode]:
    """Return the source notebooks by assignment."""
    return {name: source_notebook(name, checks) for name in assignments()}


def marked(made: NotebookNode, kind: str) -> list[NotebookNode]:
    """Return the cells with a flag of nbgrader: grade, solution or locked."""
    return [c for c in made.cells if c.metadata.get("nbgrader", {}).get(kind)]


def test_each_exercise_has_its_points_at_its_visible_checks(
    made: dict[str, NotebookNode], checks: Checks
) -> None:
    for name in assignments():
        graded = marked(made[name], "grade")
        given = {c.metadata.nbgrader.grade_id: c.metadata.nbgrader.points for c in graded}
        assert given == points_by_exercise(name)
        assert graded == marked(made[name], "locked")
        for cell in graded:
            exercise = cell.metadata.nbgrader.grade_id
            end = f'print("{exercise}: the visible checks of this cell pass")'
            assert cell.source.endswith(end)
            assert cell.metadata.tags == [DEMONSTRATION]


def test_students_write_where_the_reference_stands(made: dict[str, NotebookNode]) -> None:
    for name in assignments():
        answers = marked(made[name], "solution")
        assert answers == [c for c in made[name].cells if "### BEGIN SOLUTION" in c.source]
        for cell in answers:
            defined = re.findall(r"^(?:class|def) (\w+)", cell.source, re.MULTILINE)
            assert cell.metadata.nbgrader.grade_id == f"{defined[0]}-answer"
            assert not cell.metadata.nbgrader.locked


def test_it_says_that_validate_sees_the_visible_checks_only(
    made: dict[str, NotebookNode],
) -> None:
    for each in made.values():
        assert each.cells[0].cell_type == each.cells[1].cell_type == "markdown"
        assert "visible checks only" in " ".join(each.cells[1].source.split())


def test_nothing_hidden_is_in_a_notebook(made: dict[str, NotebookNode], checks: Checks) -> None:
    """Released notebooks are made from these, so they cannot contain more."""
    hidden = [c for c in checks.collected if not c.visible]
    own = {c.check.title for c in hidden} - {c.check.title for c in checks.collected if c.visible}
    told = {c.function.__name__ for c in hidden} | own
    told |= {*needles("hidden check"), course.secret(), "HIDDEN TESTS"}
    assert len(told) > 80
    reference = "\n".join(solution(name) for name in assignments())
    for each in made.values():
        texts = [*strings(json.loads(nbformat.writes(each)))]
        found = [one for one in told for text in texts if one in text]
        assert [one for one in found if one not in reference] == []
        assert not {course.secret(), *(c.name for c in hidden)} & {*found}


SCRIPT = """\
# %% [markdown]
# # Title

# %%
def double(x):
    ### BEGIN SOLUTION
    return 2 * x
    ### END SOLUTION

# %% tags=["active-ipynb"]
# print("double: the visible checks of this cell pass")
"""
TRIED = SCRIPT[SCRIPT.index("# %% tags=") :]
WRITTEN = SCRIPT[SCRIPT.index("# %%\ndef") : SCRIPT.index("# %% tags=")]
WRONG = {
    "no cell of checks": (SCRIPT.replace(TRIED, ""), "double has 0 cells that end with print"),
    "two cells of checks": (SCRIPT + TRIED, "double has 2 cells that end with print"),
    "two solutions": (SCRIPT + WRITTEN, "two cells with a solution define double-answer"),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_solution_that_cannot_be_graded_is_refused(
    what: str, checks: Checks, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text, reason = WRONG[what]
    (tmp_path / "demo.py").write_text(text, encoding="utf-8")
    monkeypatch.setattr(notebooks, "statement", lambda name: (tmp_path / f"{name}.py").read_text())
    monkeypatch.setattr(Checks, "exercises", lambda *_: [Exercise("double")])
    with pytest.raises(CannotBeGraded, match=reason):
        source_notebook("demo", checks)


def test_building_again_changes_nothing(tmp_path: Path) -> None:
    assert len(build(tmp_path)) == 2 + len(assignments())
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
    assert build(tmp_path) == []
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")} == before
    files = {name for name in contents(tmp_path) if not name.endswith("/")}
    sources = {f"source/{name}/{name}.ipynb" for name in assignments()}
    assert files == {"nbgrader_config.py", "nbgrader_config.json"} | sources
    assert (tmp_path / "exchange").stat().st_mode & 0o777 == 0o777


def test_what_is_the_instructors_or_the_students_stays(tmp_path: Path) -> None:
    build(tmp_path)
    kept = ["gradebook.db", "release/a/a.ipynb", "submitted/anna/a/a.ipynb", "results/1.json"]
    kept += ["autograded/anna/a/a.ipynb", "feedback/anna/a/a.html", "exchange/attention/x"]
    kept += ["nbgrader_config.py", "source/own/own.ipynb"]
    for name in kept:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("kept")
    assert build(tmp_path) == []
    assert {(tmp_path / name).read_text() for name in kept} == {"kept"}


@pytest.mark.dear
def test_what_lies_beside_a_source_notebook_is_told(tmp_path: Path) -> None:
    """nbgrader would give it to students."""
    build(tmp_path)
    folder = tmp_path / "source" / NAME
    (folder / ".ipynb_checkpoints").mkdir()
    (folder / "answers.txt").write_text("mine")
    [said] = build(tmp_path)
    assert said.startswith(
        f"source/{NAME}/answers.txt is not part of the kit, and students will get"
    )
    assert (folder / "answers.txt").read_text() == "mine"


@pytest.mark.dear
def test_a_changed_notebook_is_replaced_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build(tmp_path)
    path = tmp_path / "source" / NAME / f"{NAME}.ipynb"
    built = path.read_bytes()
    path.write_text("changed")
    before = contents(tmp_path)

    def fail(unfinished: str, _: object) -> None:
        assert Path(unfinished).parent == tmp_path  # next to the notebook it could be released
        raise OSError("the disk is full")

    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", fail)
        with pytest.raises(OSError, match="the disk is full"):
            build(tmp_path)
    assert contents(tmp_path) == before
    assert build(tmp_path) == [f"wrote source/{NAME}/{NAME}.ipynb"]
    assert path.read_bytes() == built


@pytest.mark.dear
def test_another_set_of_exercises_does_not_replace_what_is_in_use(
    tmp_path: Path, checks: Checks
) -> None:
    """nbgrader would delete the release before it refuses the notebook."""
    build(tmp_path)
    path = tmp_path / "source" / NAME / f"{NAME}.ipynb"
    other = nbformat.read(path, as_version=4)
    other.cells.remove(marked(other, "grade")[0])
    assert len(ids(other)) == len(ids(source_notebook(NAME, checks))) - 1
    nbformat.write(other, path)
    before = path.read_bytes()
    (tmp_path / "submitted" / "anna" / NAME).mkdir(parents=True)
    [said] = build(tmp_path)
    assert said.startswith(f"left source/{NAME}/{NAME}.ipynb as it was: its exercises have")
    assert path.read_bytes() == before
    (tmp_path / "submitted" / "anna" / NAME).rmdir()
    assert build(tmp_path) == [f"wrote source/{NAME}/{NAME}.ipynb"]


# The command


def test_the_command_builds_and_says_what(command: Command, tmp_path: Path) -> None:
    run = command("nbgrader", "course", tmp_path)
    assert run.returncode == 0
    shown = os.path.relpath(tmp_path, course.root())
    first = "wrote nbgrader_config.py\nwrote nbgrader_config.json\n"
    assert run.stdout.startswith(f"{first}wrote source/{assignments()[0]}/")
    assert run.stdout.endswith(f"\nbuilt {shown}\n")
    assert command("nbgrader", "course", tmp_path).stdout == f"{shown} is up to date\n"


def test_without_nbgrader_it_is_one_sentence(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "nbgrader", None)
    run = command("nbgrader", "course", tmp_path / "course")
    assert (run.returncode, run.stdout) == (3, "")
    assert run.stderr == ("nbgrader is not installed here. Run make setup, which installs it.\n")
    assert not (tmp_path / "course").exists()


@pytest.mark.parametrize("inside", ["file", "file/course"])
def test_a_folder_that_cannot_be_written_is_one_sentence(
    inside: str, command: Command, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    run = command("nbgrader", "course", tmp_path / inside)
    assert (run.returncode, run.stdout) == (3, "")
    says = {
        "file": "{} is not a folder. Give the one in which the course is or will be.\n",
        "file/course": "Not a directory: {}. Move it away, since a folder has to be there, and run",
    }[inside]
    assert run.stderr.startswith(says.format(tmp_path / inside))
    assert len(run.stderr.splitlines()) == 1


# nbgrader's cycle, with a class of four


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make the course in which the tests below do one step after another."""
    target = tmp_path_factory.mktemp("nbgrader") / "course"
    build(target)
    return target


@pytest.fixture(scope="module")
def nbgrader(folder: Path) -> Nbgrader:
    return nbgrader_in(folder)


@pytest.fixture
def gradebook(folder: Path) -> Iterator[Gradebook]:
    with Gradebook(f"sqlite:///{folder}/gradebook.db", "attention") as opened:
        yield opened


@pytest.fixture(scope="module")
def released(folder: Path, nbgrader: Nbgrader) -> Path:
    """Return the assignment's notebook as it is released."""
    assert "ERROR" not in nbgrader("generate_assignment", NAME)
    assert f"Released as: attention {NAME}" in nbgrader("release_assignment", NAME)
    return folder / "release" / NAME / f"{NAME}.ipynb"


@pytest.fixture(scope="module")
def texts(solutions: Texts) -> Texts:
    """Return the class's solutions: anna and cleo complete, ben with a mistake, dora less."""
    right = solutions[NAME]
    mistake = next(m for m in misconceptions(NAME) if m.exercise == SECOND)
    last = right.rindex("### BEGIN SOLUTION")
    unfinished = right[:last] + skeleton(NAME)[skeleton(NAME).rindex("raise Not") :]
    return {"anna": right, "ben": mistake.source(right), "cleo": right, "dora": unfinished}


def filled(released: Path, text: str) -> NotebookNode:
    """Return the released notebook with the answers of a solution's text."""
    made = nbformat.read(released, as_version=4)
    answers = {cell.id: written(cell.source + "\n") for cell in notebook(text, NAME).cells}
    for cell in marked(made, "solution"):
        cell.source = answers[cell.id].strip("\n")
    return made


@pytest.fixture(scope="module")
def submitted(folder: Path, released: Path, nbgrader: Nbgrader, texts: Texts) -> Path:
    """Collect all submissions: two from the exchange, two from downloads."""
    exchange = [f"--Exchange.root={folder}/exchange", f"--Exchange.cache={folder.parent}/cache"]
    for student in ("anna", "ben"):
        home = folder.parent / student
        home.mkdir()
        nbgrader("fetch_assignment", NAME, "--course=attention", *exchange, at=home)
        nbformat.write(filled(released, texts[student]), home / NAME / f"{NAME}.ipynb")
        handing = [NAME, "--course=attention", f"--student={student}", *exchange]
        assert "Submitted as: attention" in nbgrader("submit", *handing, at=home)
    archive = folder / "downloaded" / NAME / "archive"
    archive.mkdir(parents=True)
    cleo = folder.parent / "cleo"
    cleo.mkdir()
    nbformat.write(filled(released, texts["cleo"]), cleo / f"{NAME}.ipynb")
    shutil.make_archive(str(archive / "cleo"), "zip", cleo)
    nbformat.write(filled(released, texts["dora"]), archive / f"dora_{NAME}.ipynb")
    assert f"Collecting submission: ben {NAME}" in nbgrader("collect", NAME)
    assert "2 files collected" in nbgrader("zip_collect", NAME)
    return folder / "submitted"


@pytest.mark.dear
def test_the_gradebook_has_the_points_of_the_checks(
    released: Path, gradebook: Gradebook, checks: Checks
) -> None:
    assert released.exists()
    cells = gradebook.find_notebook(NAME, NAME).grade_cells
    assert {cell.name: cell.max_score for cell in cells} == MOST


@pytest.fixture(scope="module")
def all_released(folder: Path, released: Path, nbgrader: Nbgrader) -> Path:
    for name in assignments():
        if name != NAME:
            assert "ERROR" not in nbgrader("generate_assignment", name)
    return folder / "release"


def test_no_line_of_the_reference_is_released(all_released: Path) -> None:
    for name in assignments():
        made = json.loads((all_released / name / f"{name}.ipynb").read_bytes())
        texts = "\n".join(strings(made))
        assert [line for line in needles("reference") if line in texts] == []
        assert "BEGIN SOLUTION" not in texts


def test_what_is_released_counts_as_not_begun(all_released: Path) -> None:
    """An untouched notebook next to a module does not count as begun."""
    for name in assignments():
        code = read_source(all_released / name / f"{name}.ipynb")
        assert code_lines(code) == code_lines(skeleton(name))


@pytest.mark.dear
def test_validate_speaks_of_what_students_have_written(submitted: Path, nbgrader: Nbgrader) -> None:
    home = submitted.parent.parent
    said = nbgrader("validate", home / "anna" / NAME / f"{NAME}.ipynb")
    assert "Success! Your notebook passes all the tests." in said
    said = nbgrader("validate", submitted / "dora" / NAME / f"{NAME}.ipynb")
    assert "VALIDATION FAILED ON 1 CELL(S)" in said
    assert f"{LAST} is not written yet" in said


@pytest.mark.dear
def test_validate_runs_a_notebook_unlocked(
    submitted: Path, nbgrader: Nbgrader, tmp_path: Path
) -> None:
    """*Validate* runs code with the user's rights."""
    written, path = tmp_path / "written", tmp_path / f"{NAME}.ipynb"
    book = nbformat.read(submitted / "dora" / NAME / path.name, as_version=4)
    book.cells.insert(0, nbformat.v4.new_code_cell(f"open({str(written)!r}, 'w').close()"))
    nbformat.write(book, path)
    nbgrader("validate", path)
    assert written.exists()


def test_what_was_collected_is_graded_as_it_was_written(
    submitted: Path, texts: Texts, command: Command, grade_text: GradeText
) -> None:
    assert {path.name for path in submitted.iterdir()} == {*texts}
    scores = {}
    for student, text in texts.items():
        grade = make_grade(command, submitted, student)
        assert grade["score"] == grade_text(written(text), NAME).points
        scores[student] = grade["score"]
    assert scores["anna"] == scores["cleo"] == FULL
    assert FULL - MOST[SECOND] <= scores["ben"] < FULL
    assert scores["dora"] == FULL - MOST[LAST]


def make_grade(command: Command, submitted: Path, student: str) -> dict[str, Any]:
    """Return the grade that `make grade` gives to a student's submission."""
    run = command("grade", submitted / student / NAME, "--assignment", NAME, "--json")
    [grade] = json.loads(run.stdout)["submissions"]
    found: dict[str, Any] = grade
    return found


@pytest.mark.dear
def test_scores_and_feedback_come_of_the_grader(
    folder: Path, submitted: Path, nbgrader: Nbgrader, gradebook: Gradebook, command: Command
) -> None:
    said = nbgrader("autograde", NAME)
    assert "ERROR" not in said
    scores = {}
    for student in ("anna", "ben", "cleo", "dora"):
        grade = make_grade(command, submitted, student)
        found = gradebook.find_submission_notebook(NAME, NAME, student)
        given = {one.name: one.auto_score for one in found.grades}
        assert given == {e["name"]: e["score"] for e in grade["exercises"]}
        assert found.max_score == grade["max_score"]
        scores[student] = found.score
    assert "ERROR" not in nbgrader("generate_feedback", NAME)
    pages = {s: (folder / "feedback" / s / NAME / f"{NAME}.html").read_text() for s in scores}
    assert all(f"Score: {scores[s]} / {FULL}" in page for s, page in pages.items())
    said = nbgrader("release_feedback", NAME)
    assert said.count("Feedback released to") == 2  # and cleo and dora
    assert "cleo gets no feedback through the exchange" in said
    assert len([*(folder / "exchange" / "attention" / "feedback").glob("*.html")]) == 2
    nbgrader("export")
    with (folder / "grades.csv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["assignment"] == NAME]
    assert {row["student_id"]: float(row["score"] or 0) for row in rows} == scores


@pytest.mark.dear
def test_building_and_generating_again_loses_nothing(
    folder: Path,
    submitted: Path,
    nbgrader: Nbgrader,
    gradebook: Gradebook,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """An instructor does so after correcting a statement when there are submissions."""
    gradebook.update_or_create_student("anna")
    gradebook.update_or_create_submission(NAME, "anna")
    gradebook.find_grade(FIRST, NAME, NAME, "anna").manual_score = 2.5
    gradebook.find_comment(f"{FIRST}-answer", NAME, NAME, "anna").manual_comment = "Neat."
    gradebook.db.commit()
    gradebook.close()
    corrected = solution(NAME).replace("# # ", "# # Corrected: ", 1)
    monkeypatch.setattr(
        notebooks, "statement", lambda name: corrected if name == NAME else statement(name)
    )
    steps = ["submitted", "exchange", "autograded", "feedback"]
    before = [contents(folder / step) for step in steps]
    assert build(folder) == [f"wrote source/{NAME}/{NAME}.ipynb"]
    assert "ERROR" not in nbgrader("generate_assignment", NAME, "--force")
    assert "# Corrected: " in (folder / "release" / NAME / f"{NAME}.ipynb").read_text()
    assert [contents(folder / step) for step in steps] == before
    with Gradebook(f"sqlite:///{folder}/gradebook.db", "attention") as opened:
        assert opened.find_grade(FIRST, NAME, NAME, "anna").manual_score == 2.5
        comment = opened.find_comment(f"{FIRST}-answer", NAME, NAME, "anna")
        assert comment.manual_comment == "Neat."


def test_a_mistake_in_the_configuration_ends_nbgrader(folder: Path, nbgrader: Nbgrader) -> None:
    """nbgrader would go on with its own settings, and run students' code."""
    path = folder / "nbgrader_config.py"
    text = path.read_text()
    path.write_text(text + "c.Exchange.root = undefined\n")
    try:
        with pytest.raises(NameError, match="undefined"):
            nbgrader("generate_assignment", "self_attention", "--force")
    finally:
        path.write_text(text)


def test_without_the_kit_nbgrader_does_not_start(
    folder: Path, nbgrader: Nbgrader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "autograder.nbgrader.configuration", None)
    said = nbgrader("generate_assignment", "self_attention", "--force")
    assert "the kit is not installed where this nbgrader is" in said
    assert "Converting" not in said


@pytest.mark.dear
def test_nbgrader_finds_the_kit_from_the_folder_of_the_course(folder: Path, released: Path) -> None:
    """Run it as a process in an environment that was not activated."""
    environment = {**os.environ, "PATH": os.defpath, "PYTHONPATH": str(course.root())}
    run = subprocess.run(
        [sys.executable, "-m", "nbgrader", "list"],
        cwd=folder,
        env={**environment, "JUPYTER_CONFIG_DIR": str(folder.parent / "config")},
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert f"attention {released.stem}" in run.stderr


def test_feedback_reaches_those_behind_a_download(folder: Path, nbgrader: Nbgrader) -> None:
    """nbgrader's own class stops at the first student who did not use the exchange."""
    name = "self_attention"
    for student in ("ada", "bob", "carl", "bob,carl"):
        pages = folder / "feedback" / student / name
        pages.mkdir(parents=True)
        (pages / f"{name}.html").write_text("well done")
        if "bob" not in student:
            (pages / "timestamp.txt").write_text("2030-01-01 00:00:00 UTC")
            (pages / "submission_secret.txt").write_text(student)
    said = nbgrader("release_feedback", name)
    assert said.count("Feedback released to") == 2
    assert "bob gets no feedback through the exchange" in said
    assert "ended with" not in said
