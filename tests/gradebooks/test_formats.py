"""What the grader prints for a class is what the exports read, whatever was handed in."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from conftest import Command, points, written

from autograder.gradebooks import formats
from autograder.report.codes import OK, USAGE

BASE = "attention_layer"
WRONG_SCALE = ("math.sqrt(Q.shape[-1])", "math.sqrt(2 * Q.shape[-1])")
OF_ONE = ("classroom50", "gradescope")


@pytest.fixture
def graded(command: Command, tmp_path: Path, solutions: dict[str, str]) -> Path:
    """Return the document of a class: right, with a mistake, unreadable, and nothing."""
    classroom = tmp_path / "class"
    classroom.mkdir()
    text = written(solutions[BASE])
    (classroom / "anna.py").write_text(text, encoding="utf-8")
    (classroom / "ben.py").write_text(text.replace(*WRONG_SCALE), encoding="utf-8")
    (classroom / "carl.ipynb").write_text("{", encoding="utf-8")
    (classroom / "dora.py").write_text("", encoding="utf-8")
    run = command("grade", classroom, "--assignment", BASE, "--json")
    assert run.returncode == OK, run.stderr
    path = tmp_path / "grades.json"
    path.write_text(run.stdout, encoding="utf-8")
    return path


@pytest.mark.dear
def test_all_formats_read_what_the_grader_prints(
    command: Command, tmp_path: Path, graded: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    by_id = {one["submission"]: one for one in json.loads(graded.read_text())["submissions"]}
    for name in ("CLASSROOM", "ASSIGNMENT", "COMMIT_URL", "RELEASE_URL"):
        monkeypatch.setenv(name, "x")
    monkeypatch.setenv("SUBMISSION_TAG", "submit/x")
    for name in OF_ONE:
        for student, of_grader in by_id.items():
            out = tmp_path / f"{name}-{student}.json"
            call = ("export", name, graded, "--submission", student, "--out", out)
            assert command(*call).returncode == OK
            found = json.loads(out.read_text())
            assert found["score"] == of_grader["score"]
            assert len(found["tests"]) == sum(len(e["checks"]) for e in of_grader["exercises"])
    most = points(BASE)
    sheets = {
        "canvas": f"Student,ID,SIS Login ID,Section,Lab (1)\nPoints Possible,,,,{most}\n"
        + "".join(f"{name},{i},{name},A,\n" for i, name in enumerate(by_id)),
        "moodle": "Identifier,Username,Grade,Maximum grade,Feedback comments\n"
        + "".join(f"Participant {i},{name},,{most},\n" for i, name in enumerate(by_id)),
    }
    for name, text in sheets.items():
        into, out = tmp_path / f"{name}.csv", tmp_path / f"filled-{name}.csv"
        into.write_text(text)
        column = ("--column", "Lab (1)") if name == "canvas" else ()
        run = command("export", name, graded, "--into", into, "--out", out, *column)
        assert run.returncode == OK, run.stderr
        key, score = ("SIS Login ID", "Lab (1)") if name == "canvas" else ("Username", "Grade")
        with out.open(newline="") as file:
            rows = [row for row in csv.DictReader(file) if row[key]]
        assert {row[key]: float(row[score]) for row in rows} == {
            name: one["score"] for name, one in by_id.items()
        }
    run = command("export", "junit", graded, "--out", tmp_path / "report.xml")
    assert run.returncode == OK, run.stderr


def test_each_module_is_a_format() -> None:
    assert {"canvas", "gradescope", "gradescope-archive", "moodle"} <= {*formats.names()}
    for name in formats.names():
        assert formats.find(name).HELP


@pytest.mark.parametrize(
    "arguments",
    [
        ("canvas", "g.json", "--into", "g.csv", "--out", ""),
        ("moodle", "g.json", "--into", "", "--out", "x.csv"),
        ("junit", "", "--out", "x.xml"),
        ("classroom50", "g.json", "--out", "x.json", "--release-body", ""),
        ("gradescope-archive", "--assignment", BASE, "--out", ""),
    ],
)
def test_an_empty_path_is_no_path(command: Command, arguments: tuple[str, ...]) -> None:
    """As of a variable that is not set; it would mean the current folder."""
    run = command("export", *arguments)
    assert (run.returncode, run.stdout) == (USAGE, "")
    assert run.stderr.endswith(": the path is empty\n")


def test_a_format_that_there_is_not(command: Command) -> None:
    run = command("export", "blackboard", "grades.json")
    assert run.returncode == USAGE
    assert "canvas" in run.stderr


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            None,
            "There is no file {0}. Write it first: python -m autograder grade CLASS --json > {0}",
        ),
        ("graded 1/2", "{0} is not what python -m autograder grade --json writes"),
        (
            '{"format": 1, "sandbox": "locked", "course": "", "submissions": [], '
            '"complete": false}',
            "{0} was interrupted before everybody was graded.",
        ),
    ],
    ids=["none", "another", "interrupted"],
)
@pytest.mark.parametrize("name", OF_ONE)
def test_grades_that_cannot_be_read(
    command: Command, tmp_path: Path, name: str, text: str | None, said: str
) -> None:
    path = tmp_path / "grades.json"
    if text is not None:
        path.write_text(text)
    run = command("export", name, path, "--out", tmp_path / "out")
    assert run.returncode == USAGE
    assert run.stderr.startswith(said.format(path))
    assert not (tmp_path / "out").exists()
