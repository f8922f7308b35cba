"""Tests of killing autograde at any moment: nothing is lost or left half done."""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from course_in_nbgrader import decide, generate, grade_nothing, hand_in, job
from nbgrader.api import Gradebook
from nbgrader.apps import AutogradeApp

from autograder.checking.collect import Checks
from autograder.nbgrader.application import application
from autograder.nbgrader.autograde import autograde

NAME = "normalization"
STUDENTS = [f"s{i:02d}" for i in range(10)]
KILLS = 2
RUN = f"""
import sys
from pathlib import Path
from pytest import MonkeyPatch
from autograder.nbgrader.application import application
from autograder.nbgrader.autograde import autograde
sys.path.append({str(Path(__file__).parents[1])!r})
from course_in_nbgrader import grade_nothing
grade_nothing(MonkeyPatch())  # all is graded
autograde(application(Path(sys.argv[1])), "{NAME}", "*", force=False)
"""


@pytest.fixture
def app(tmp_path: Path, built_course: Path) -> AutogradeApp:
    """Make a course with many submissions that are graded, but not autograded."""
    made = application(shutil.copytree(built_course, tmp_path / "course"))
    released = generate(made, NAME)
    points = {
        cell["metadata"]["nbgrader"]["grade_id"]: float(cell["metadata"]["nbgrader"]["points"])
        for cell in released.notebook["cells"]
        if cell["metadata"].get("nbgrader", {}).get("grade")
    }
    for i, student in enumerate(STUDENTS):
        folder = hand_in(made, student, released)
        (folder / f"{NAME}.py").write_text(f"# begun by {student}\n")
        (folder / "timestamp.txt").write_text(f"2026-01-{i + 1:02d} 10:00:00 UTC")
        given = {name: (min(i / 2, most), most) for name, most in points.items()}
        decide(made, job(made, student, NAME), given)
    return made


def table(root: Path) -> list[tuple[object, ...]]:
    """Return all grades without the gradebook's ids."""
    with Gradebook(f"sqlite:///{root}/gradebook.db", "attention") as gradebook:
        return sorted(
            (one.student.id, grade.name, grade.auto_score, grade.needs_manual_grade, one.timestamp)
            for one in gradebook.find_assignment(NAME).submissions
            for notebook in one.notebooks
            for grade in notebook.grades
        )


@pytest.mark.dear
def test_it_ends_as_if_nobody_had_killed_it(
    app: AutogradeApp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, checks: Checks
) -> None:
    course = Path(app.coursedir.root)
    undisturbed = application(shutil.copytree(course, tmp_path / "undisturbed"))
    grade_nothing(monkeypatch)
    assert autograde(undisturbed, NAME, "*", force=False).graded == STUDENTS
    chance = random.Random(0)
    written = 0
    for _ in range(KILLS):
        process = subprocess.Popen([sys.executable, "-c", RUN, str(course)])
        written += chance.randint(1, 3)
        while len(list(course.glob("autograded/*/*/*.ipynb"))) < written:
            assert process.poll() is None, "it ended before it was killed"
            time.sleep(0.001)
        time.sleep(chance.uniform(0, 0.2))
        process.kill()
        process.wait()
    assert autograde(app, NAME, "*", force=False).graded == STUDENTS
    assert table(course) == table(tmp_path / "undisturbed")
    assert len(table(course)) == len(STUDENTS) * len(checks.exercises(NAME))
