"""A course of nbgrader for tests: built, released, and handed in for."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from damage import Released, release
from jupyter_core.application import NoStart
from nbgrader.apps import AutogradeApp, NbGraderApp
from nbgrader.apps.api import NbGraderAPI
from nbgrader.validator import Validator

from autograder.classroom.jobs import Job
from autograder.classroom.results import CheckPart, GradingSettings, Part, Result, Results
from autograder.nbgrader.autograding_run import of_course
from autograder.nbgrader.intake import Folders

Nbgrader = Callable[..., str]


def nbgrader_in(folder: Path) -> Nbgrader:
    """A function that calls nbgrader, in this process, as in a course's folder.

    Nothing of the user's or of the test's is read or changed. It returns what nbgrader logs.
    """

    def run(*arguments: str | Path, at: Path = folder) -> str:
        logged = io.StringIO()
        app = NbGraderApp.instance()
        with pytest.MonkeyPatch.context() as patched:
            for kind in ("CONFIG", "DATA", "RUNTIME"):
                patched.setenv(f"JUPYTER_{kind}_DIR", str(folder.parent / kind.lower()))
            patched.setenv("PATH", os.defpath)  # where alembic is not
            patched.setattr(sys, "path", [*sys.path])  # nbgrader puts its folder there
            patched.setattr(sys, "stderr", logged)
            patched.setattr(Validator, "stream", logged)
            patched.chdir(at)
            try:
                app.initialize([*map(str, arguments)])
                app.start()
            except NoStart:  # there is nothing to be done after the verb
                pass
            except SystemExit as ended:
                logged.write(f"ended with {ended.code}\n")
            finally:
                app.reset()
        return logged.getvalue()

    return run


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
    settings = GradingSettings("locked", 10.0, 1)
    Results(of_course(app.coursedir).results).put(
        Result(work.digest, work.edition, work.assignment, "graded", "", settings, parts)
    )
