"""A course of nbgrader for tests: built, released, and handed in for."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from damage import Released, release
from nbgrader.apps import AutogradeApp
from nbgrader.apps.api import NbGraderAPI

from autograder.batch.jobs import Job
from autograder.batch.results import CheckPart, Part, Result, Results, Terms
from autograder.nbgrader.intake import Folders
from autograder.nbgrader.run import of_course

Rows = list[tuple[object, ...]]


def generate(app: AutogradeApp, assignment: str) -> Released:
    """Release an assignment as nbgrader does it."""
    done = NbGraderAPI(app.coursedir, parent=app).generate_assignment(assignment)
    assert done["success"], done
    folder = Path(app.coursedir.root) / "release" / assignment
    text = (folder / f"{assignment}.ipynb").read_text("utf-8")
    return Released(assignment, json.loads(text), release(assignment).right)


def hand_in(app: AutogradeApp, student: str, released: Released, text: str = "") -> Path:
    """Hand in the right notebook, or another text. Returns the folder."""
    folder = Path(app.coursedir.root) / "submitted" / student / released.assignment
    folder.mkdir(parents=True, exist_ok=True)
    (folder / released.file).write_text(text or json.dumps(released.filled()), encoding="utf-8")
    return folder


def job(app: AutogradeApp, student: str, assignment: str) -> Job:
    """What a student has handed in."""
    return Folders(of_course(app.coursedir).submitted).job(student, assignment)


def decide(app: AutogradeApp, work: Job, points: Mapping[str, tuple[float, float]]) -> None:
    """Keep a result for a work as if it had been graded: points of all, by exercise."""
    parts = tuple(
        Part(
            name,
            "passed" if got == most else "failed",
            got,
            most,
            f"<div>{name}: {got:g}</div>",
            f"{name}: {got:g}",
            (CheckPart("one", "Is right", "passed" if got == most else "failed", got, most, True),),
        )
        for name, (got, most) in points.items()
    )
    terms = Terms("locked", 10.0, 1)
    Results(of_course(app.coursedir).results).put(
        Result(work.digest, work.edition, work.assignment, "graded", "", terms, parts)
    )
