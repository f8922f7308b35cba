"""Autograding through nbgrader: every damage, the same scores as make grade, regrade and undo."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from damage import ALL, Damage, Released, release
from damage.released import ASSIGNMENT
from nbformat.v4 import new_code_cell
from nbgrader.api import Gradebook
from nbgrader.apps import AutogradeApp
from nbgrader.apps.api import NbGraderAPI
from nbgrader.utils import determine_grade

from autograder.batch.results import Part, Result, Results, Terms
from autograder.ingest import ids
from autograder.nbgrader import engine
from autograder.nbgrader.application import application
from autograder.nbgrader.autograding import Summary, autograde
from autograder.nbgrader.course import build
from autograder.nbgrader.run import of_course

FULL = 30


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A course in which one assignment was released."""
    target = tmp_path_factory.mktemp("course")
    build(target)
    with (target / "nbgrader_config.py").open("a") as file:
        file.write("c.SubmissionExporter.seconds = 2.0\n")
    return target


@pytest.fixture(scope="module")
def app(folder: Path) -> AutogradeApp:
    made = application(folder)
    done = NbGraderAPI(made.coursedir, parent=made).generate_assignment(ASSIGNMENT)
    assert done["success"], done
    return made


@pytest.fixture(scope="module")
def released(app: AutogradeApp, folder: Path) -> Released:
    """As nbgrader has released it."""
    as_file = release()
    notebook = (folder / "release" / ASSIGNMENT / f"{ASSIGNMENT}.ipynb").read_text("utf-8")
    import json

    return Released(ASSIGNMENT, json.loads(notebook), as_file.right)


def student(damage: Damage) -> str:
    """An id of its own for each case."""
    return damage.student if damage.student != "anna" else f"d{ALL.index(damage):03d}"


@pytest.fixture(scope="module")
def summary(app: AutogradeApp, folder: Path, released: Released) -> Iterator[Summary]:
    """A class in which every damage there is was handed in."""
    for damage in ALL:
        place = folder / "submitted" / student(damage) / ASSIGNMENT
        place.mkdir(parents=True)
        damage.make(place, released)
    yield autograde(app, ASSIGNMENT, "*", force=False)
    shutil.rmtree(folder, ignore_errors=True)  # some are large


@pytest.fixture
def gradebook(app: AutogradeApp) -> Iterator[Gradebook]:
    with Gradebook(app.coursedir.db_url, "attention") as opened:
        yield opened


@pytest.mark.skipif(os.name != "posix", reason="has no such files")
@pytest.mark.parametrize("damage", ALL, ids=lambda damage: damage.name)
def test_damage(damage: Damage, summary: Summary, gradebook: Gradebook, folder: Path) -> None:
    name = student(damage)
    assert (name in summary.graded) + (name in summary.refused) == 1, summary.staff.get(name)
    if damage.graded is not None:
        assert (name in summary.graded) is damage.graded
    if name in summary.refused and not is_id(name):
        assert "cannot be a student's id" in summary.refused[name]
        return
    kept = gradebook.find_submission_notebook(ASSIGNMENT, ASSIGNMENT, name)
    points = {grade.name: (grade.auto_score, grade.max_score) for grade in kept.grades}
    assert not kept.needs_manual_grade
    page = (folder / "autograded" / name / ASSIGNMENT / f"{ASSIGNMENT}.ipynb").read_text("utf-8")
    if name in summary.refused:
        assert kept.score == 0
        told = [cell.source for cell in nbformat.reads(page, 4).cells if "note" in cell.id]
        assert told, "nobody sees why"
    elif damage.graded:
        assert {name for name, (got, _) in points.items() if got == 0} == {*damage.lost}
        assert all(got == most for name, (got, most) in points.items() if name not in damage.lost)
    assert "root:x:0" not in page


def is_id(name: str) -> bool:
    try:
        ids.checked(name)
    except ids.NoId:
        return False
    return True
