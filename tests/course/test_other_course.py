"""The engine names no exercise: it serves another course unchanged."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import copied_course, run_in, written

from autograder.course import assignments, program, skeleton

OTHER = Path(__file__).with_name("other_course")
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the other course, with assignments/ next to it."""
    folder = Path(shutil.copytree(OTHER, tmp_path_factory.mktemp("other") / "other"))
    written = os.path.relpath(folder / "assignments" / "powers.py", ROOT)
    assert f"wrote {written}\n" in asked(folder, "assignments").stdout
    return folder


def asked(folder: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run `python -m autograder --course folder/solutions` with the arguments given."""
    command = [sys.executable, "-m", "autograder", "--course", folder / "solutions", *arguments]
    return subprocess.run(
        [*map(str, command)], cwd=ROOT, capture_output=True, text=True, timeout=900, check=False
    )


@pytest.mark.dear
def test_its_references_and_its_skeletons_are_graded(other: Path) -> None:
    right = asked(other, "grade", other / "solutions", "--strict")
    assert (right.returncode, right.stdout.splitlines()[-1]) == (0, "Score: 7/7 (locked)")
    missing = json.loads(asked(other, "grade", other / "assignments", "--json").stdout)
    [graded] = missing["submissions"]
    assert {exercise["status"] for exercise in graded["exercises"]} == {"missing"}


def graded_wrong(other: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    """Grade a known mistake, which is written into a folder."""
    text = (other / "solutions" / "powers" / "powers.py").read_text(encoding="utf-8")
    wrong = written(text).replace("torch.exp(logarithms.mean(dim=-1))", "logarithms.mean(dim=-1)")
    (folder / "powers.py").write_text(wrong, encoding="utf-8")
    return asked(other, "grade", folder / "powers.py", "--exercise", "geometric_mean")


@pytest.mark.dear
def test_its_mistakes_are_named(other: Path, tmp_path: Path) -> None:
    run = graded_wrong(other, tmp_path)
    assert "Probably: gives the logarithm of the mean." in run.stdout


@pytest.mark.dear
def test_its_commands_can_be_typed(other: Path, tmp_path: Path) -> None:
    """In the folder of the kit, from which make serves the kit's own course only."""
    run = graded_wrong(other, tmp_path)
    named = f"--course {os.path.relpath(other / 'solutions', ROOT)}"
    again = f"python -m autograder {named} grade {tmp_path} --exercise geometric_mean"
    shown = " ".join(run.stdout.split())
    assert f"The next hint: {again} --hints 2 " in shown
    assert f"To rebuild it: {again} --paste 1 " in shown
    assert "make " not in run.stdout
    more: list[str | Path] = [
        "grade",
        tmp_path,
        "--exercise",
        "geometric_mean",
        "--hints",
        "2",
        "--paste",
        "1",
    ]
    shown = asked(other, *more).stdout
    assert "      Think: " in shown and "Lines that rebuild it" in shown


@pytest.mark.dear
def test_its_own_symptoms_are_told(other: Path, tmp_path: Path) -> None:
    """In the course, and in its copy for students, which holds no solution."""
    assert asked(other, "release").returncode == 0
    text = (other / "solutions" / "powers" / "powers.py").read_text(encoding="utf-8")
    wrong = written(text).replace(".mean(dim=-1)", ".mean(dim=-1) * x.dim()")
    (tmp_path / "powers.py").write_text(wrong, encoding="utf-8")
    grade = ["grade", str(tmp_path / "powers.py"), "--exercise", "geometric_mean"]
    kit = other / "build" / "student-kit"
    for run in (asked(other, *grade), run_in(kit, "-m", "autograder", *grade)):
        assert "Seen: is right for a single row of numbers, and wrong for several." in run.stdout


@pytest.mark.dear
def test_all_that_is_claimed_of_it_holds(other: Path) -> None:
    run = asked(other, "audit")
    assert run.returncode == 0, run.stdout
    assert json.loads((other / "build" / "certificate.json").read_text())["holds"] is True


@pytest.mark.dear
def test_its_copy_for_students_grades_itself(other: Path) -> None:
    kit = other / "build" / "student-kit"
    run = asked(other, "release")
    assert run.stdout == f"built {os.path.relpath(kit, ROOT)}\n"
    assert run.stderr.startswith("recorded 0/1\nrecorded 1/1\n")
    readme = (kit / "README.md").read_text(encoding="utf-8")
    assert readme.startswith("# Means and powers\n")
    assert "EX=geometric_mean" in readme
    assert "ttention" not in readme
    wrong = (kit / "assignments" / "powers.py").read_text(encoding="utf-8")
    wrong = wrong.replace(
        'raise NotImplementedError("geometric_mean is not written yet")', "return x.mean(-1)"
    )
    (kit / "assignments" / "powers.py").write_text(wrong, encoding="utf-8")
    run = run_in(kit, "-m", "autograder", "grade", "assignments")
    assert "Probably: takes the mean of the numbers themselves." in run.stdout
    score = "Score: 0/5 for visible checks (unlocked: with your own rights)"
    assert run.stdout.splitlines()[-2] == score


@pytest.mark.dear
def test_it_goes_through_nbgrader(other: Path) -> None:
    assert asked(other, "nbgrader", "course").returncode == 0
    course = other / "build" / "course"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}

    def nbgrader(*arguments: str) -> None:
        command = [sys.executable, "-m", "nbgrader", *arguments]
        run = subprocess.run(command, cwd=course, env=environment, capture_output=True, text=True)
        assert run.returncode == 0, run.stderr

    nbgrader("generate_assignment", "powers")
    handed_in = course / "submitted" / "anna" / "powers"
    handed_in.mkdir(parents=True)
    text = (other / "solutions" / "powers" / "powers.py").read_text(encoding="utf-8")
    (handed_in / "powers.py").write_text(written(text), encoding="utf-8")
    nbgrader("autograde", "powers")
    nbgrader("export")
    [header, row] = (course / "grades.csv").read_text(encoding="utf-8").splitlines()
    found = dict(zip(header.split(","), row.split(","), strict=True))
    assert (found["student_id"], found["score"], found["max_score"]) == ("anna", "7.0", "7.0")


def test_a_folder_that_is_no_course_is_refused(tmp_path: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "autograder", "--course", str(tmp_path), "doctor"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 4
    assert run.stderr == (
        f"{tmp_path} is not a course: it has no course.toml. Give the folder that holds one folder "
        "per assignment.\n"
    )


def test_a_program_is_the_last_assignment_that_runs_as_one_or_the_last_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "__main__" in skeleton(program())
    later = assignments()[assignments().index(program()) + 1 :]
    assert not any("__main__" in skeleton(name) for name in later)
    copied_course(tmp_path, monkeypatch)
    assert program() == assignments()[-1]
