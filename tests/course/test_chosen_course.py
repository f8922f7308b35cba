"""A course of one's own out of three assignments of the kit: from the release to the exports."""

from __future__ import annotations

import csv
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import nbformat
import pytest
from conftest import run_in
from test_other_course import ROOT, asked

from autograder import course
from autograder.course.leaving_out import PASSAGE

CHOSEN = Path(__file__).with_name("chosen")
MOST = {"running_averages": 17, "normalization": 15, "multi_head": 32}
WRONG = ("triangle / triangle.sum(dim=1, keepdim=True)", "triangle / T")
pytestmark = pytest.mark.dear


@pytest.fixture(scope="module")
def mine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder around the course, with its release and its course for nbgrader."""
    folder = Path(shutil.copytree(CHOSEN, tmp_path_factory.mktemp("mine") / "mine"))
    assert asked(folder, "assignments").returncode == 0
    assert asked(folder, "release").returncode == 0
    assert asked(folder, "nbgrader", "course").returncode == 0
    return folder


@pytest.fixture(scope="module")
def submitted(mine: Path) -> Path:
    """Return a class: anna is right, ben is wrong in running_mean_matmul alone."""
    folder = mine / "class"
    for student, edit in (("anna", ("", "")), ("ben", WRONG)):
        for name in MOST:
            path = folder / name / student / f"{name}.py"
            path.parent.mkdir(parents=True)
            path.write_text(right(mine, name).replace(*edit), encoding="utf-8")
    return folder


def right(mine: Path, name: str) -> str:
    """Return an assignment with what a student writes, as the course gives it."""
    code = (
        "from autograder import course; import sys; from pathlib import Path\n"
        f"course.use(Path({str(mine / 'solutions')!r}))\n"
        f"sys.stdout.write(course.statement({name!r}))\n"
    )
    run = run_in(ROOT, "-c", code)
    assert run.returncode == 0, run.stderr
    return re.sub(r"^ *### (?:BEGIN|END) SOLUTION\n", "", run.stdout, flags=re.MULTILINE)


def grades(mine: Path, name: str, submitted: Path, *more: str | Path) -> list[dict[str, Any]]:
    run = asked(mine, "grade", submitted / name, "--assignment", name, "--json", *more)
    assert run.returncode == 0, run.stderr
    (mine / f"{name}.json").write_text(run.stdout, encoding="utf-8")
    found: list[dict[str, Any]] = json.loads(run.stdout)["submissions"]
    return found


def test_the_map_and_the_total(mine: Path) -> None:
    text = (mine / "assignments" / "README.md").read_text(encoding="utf-8")
    rows = [[cell.strip() for cell in row.split("|")] for row in text.splitlines() if "](" in row]
    assert [(row[3], row[4], row[5]) for row in rows] == [
        ("nothing", "1", "17"),
        ("nothing", "1.5, at most 45 minutes", "15"),
        ("nothing", "2", "32"),
    ]
    assert "49 points in all; optional assignments give 15 more." in text
    run = asked(mine, "grade", mine / "assignments")
    assert "normalization, optional  (" in run.stdout
    assert "Score: 0/49, 0/15 optional (" in run.stdout


def test_what_is_released_grades_itself_and_holds_no_answer(mine: Path, tmp_path: Path) -> None:
    kit = mine / "build" / "student-kit"
    assert (kit / "assignments" / "README.md").read_text() == (
        mine / "assignments" / "README.md"
    ).read_text()
    book = nbformat.read(kit / "assignments" / "running_averages.ipynb", as_version=4)
    for text in ((kit / "assignments" / "running_averages.py").read_text(),
                 "\n".join(cell.source for cell in book.cells)):  # fmt: skip
        assert "The same means once more, as one product of matrices" in text
        assert "def running_mean_loop" not in text
        assert "Exercise 1" not in text
    texts = "\n".join(
        path.read_text(encoding="utf-8")
        for path in kit.rglob("*")
        if path.suffix in (".py", ".ipynb", ".toml", ".md") and "assignments" in path.parts
    )
    for name in MOST:
        for passage in PASSAGE.findall(course.solution(name)):
            lines = [line.strip() for line in passage.splitlines() if len(line.strip()) > 30]
            assert not lines or not all(line in texts for line in lines), passage
    before = json.loads(run_in(kit, "-m", "autograder", "grade", "assignments", "--json").stdout)
    visible = {one["assignment"]: one["max_score"] for one in before["submissions"]}
    assert visible == {"running_averages": 13, "normalization": 12, "multi_head": 25}
    for name in MOST:
        (kit / "assignments" / f"{name}.py").write_text(right(mine, name), encoding="utf-8")
    run = run_in(kit, "-m", "autograder", "grade", "assignments")
    score = "Score: 38/38, 12/12 optional for visible checks ("
    assert score in run.stdout, run.stdout


@pytest.mark.parametrize("name", MOST)
def test_right_work_gets_all_points(name: str, mine: Path, submitted: Path) -> None:
    anna, ben = grades(mine, name, submitted)
    assert (anna["score"], anna["max_score"]) == (MOST[name], MOST[name])
    lost = {one["name"] for one in ben["exercises"] if one["score"] < one["max_score"]}
    assert lost == ({"running_mean_matmul"} if name == "running_averages" else set())
    assert anna["optional"] is (name == "normalization")
    for one in (anna, ben):
        for exercise in one["exercises"]:
            of_checks = [check["max_points"] for check in exercise["checks"]]
            assert exercise["max_score"] == sum(of_checks)
            assert all(points == int(points) for points in of_checks)


def test_through_nbgrader(mine: Path, submitted: Path) -> None:
    nbgraders = mine / "build" / "course"

    def nbgrader(*arguments: str) -> None:
        command = [sys.executable, "-m", "nbgrader", *arguments]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        run = subprocess.run(
            command, cwd=nbgraders, env=environment, capture_output=True, text=True
        )
        assert run.returncode == 0, run.stderr

    for name in ("running_averages", "multi_head"):
        nbgrader("generate_assignment", name)
        for student in ("anna", "ben"):
            place = nbgraders / "submitted" / student / name
            place.mkdir(parents=True)
            text = (submitted / name / student / f"{name}.py").read_text(encoding="utf-8")
            (place / f"{name}.py").write_text(text, encoding="utf-8")
        nbgrader("autograde", name)
    nbgrader("export")
    with (nbgraders / "grades.csv").open(encoding="utf-8") as file:
        rows = {(one["student_id"], one["assignment"]): one for one in csv.DictReader(file)}
    for (student, name), row in rows.items():
        assert float(row["max_score"]) == MOST[name]
        is_whole = student == "anna" or name == "multi_head"
        assert (float(row["score"]) == MOST[name]) == is_whole
    [_, ben] = grades(mine, "running_averages", submitted)
    assert float(rows["ben", "running_averages"]["score"]) == ben["score"] >= 4


def test_exported(mine: Path, submitted: Path, tmp_path: Path) -> None:
    """To Canvas, as JUnit, as a table, and on the page of the class."""
    _, ben = grades(
        mine,
        "running_averages",
        submitted,
        "--csv",
        tmp_path / "t.csv",
        "--overview",
        tmp_path / "o",
    )
    gradebook = (
        "Student,ID,Section,Lab (7)\r\n    Points Possible,,,17.00\r\nA,anna,,\r\nB,ben,,\r\n"
    )
    (tmp_path / "into.csv").write_text(gradebook, encoding="utf-8", newline="")
    document = mine / "running_averages.json"
    into = "--into", tmp_path / "into.csv", "--column", "Lab (7)", "--id-column", "ID"
    for kind in ("canvas", "junit"):
        options = into if kind == "canvas" else ()
        run = asked(mine, "export", kind, document, *options, "--out", tmp_path / f"{kind}.out")
        assert run.returncode == 0, run.stderr
    archive = tmp_path / "a.zip"  # which has what is taken over, and on what that is built
    run = asked(
        mine, "export", "gradescope-archive", "--assignment", "multi_head", "--out", archive
    )
    assert run.returncode == 0, run.stderr
    with zipfile.ZipFile(archive) as file:
        names = {*file.namelist()}
    assert {f"solutions/{one}/{one}.py" for one in ("multi_head", "attention_layer")} <= names
    assert "course/solutions/course.toml" in names
    filled = list(csv.reader((tmp_path / "canvas.out").open(encoding="utf-8", newline="")))
    assert [float(row[3]) for row in filled[2:]] == [17, ben["score"]]
    junit = (tmp_path / "junit.out").read_text(encoding="utf-8")
    assert len(re.findall("<failure", junit)) == sum(
        check["status"] == "failed" for one in ben["exercises"] for check in one["checks"]
    )
    assert "running_mean_loop" not in junit
    table = {row["id"]: row for row in csv.DictReader((tmp_path / "t.csv").open(encoding="utf-8"))}
    assert (table["anna"]["score"], table["anna"]["max_score"]) == ("17", "17")
    [exercises] = (tmp_path / "o").rglob("exercises.csv")
    most = {row["exercise"]: row["max_points"] for row in csv.DictReader(exercises.open())}
    assert {name: float(points) for name, points in most.items()} == {
        "running_mean_matmul": 13,
        "running_mean_softmax": 4,
    }
