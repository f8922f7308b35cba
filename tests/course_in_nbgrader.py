"""Tools for tests with an nbgrader course: release, hand in, and set results."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import pytest
from damage import Released, release
from jupyter_core.application import NoStart
from nbgrader.apps import AutogradeApp, NbGraderApp
from nbgrader.apps.api import NbGraderAPI
from nbgrader.validator import Validator

from autograder.classroom.jobs import Fingerprint, Job
from autograder.classroom.results import Feedback, GradingSettings, Result, Results
from autograder.grading.grade import CheckGrade, ExerciseGrade, Grade, Outcome
from autograder.nbgrader import preparing, regrade
from autograder.nbgrader.intake import Folders
from autograder.nbgrader.places import Places, places_of

Nbgrader = Callable[..., str]


def nbgrader_in(folder: Path) -> Nbgrader:
    """Return a function that runs an nbgrader command in this process and a course's folder.

    It reads and changes no settings of the user, and returns the log.
    """

    def run(*arguments: str | Path, at: Path = folder) -> str:
        logged = io.StringIO()
        app = NbGraderApp.instance()
        with pytest.MonkeyPatch.context() as patched:
            for kind in ("CONFIG", "DATA", "RUNTIME"):
                patched.setenv(f"JUPYTER_{kind}_DIR", str(folder.parent / kind.lower()))
            patched.setenv("PATH", os.defpath)  # does not contain alembic
            patched.setattr(sys, "path", [*sys.path])  # nbgrader puts its folder there
            patched.setattr(sys, "stderr", logged)
            patched.setattr(Validator, "stream", logged)
            patched.chdir(at)
            try:
                app.initialize([*map(str, arguments)])
                app.start()
            except NoStart:  # the subcommand has already done everything
                pass
            except SystemExit as ended:
                logged.write(f"ended with {ended.code}\n")
            finally:
                app.reset()
        return logged.getvalue()

    return run


def generate(app: AutogradeApp, assignment: str) -> Released:
    """Release an assignment with nbgrader."""
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
    """Return a student's submission."""
    return Folders(places_of(app.coursedir).submitted).job(student, assignment)


def grade_nothing(patched: pytest.MonkeyPatch) -> None:
    """Let commands take results that are there, and only read the submissions."""

    def grade(
        places: Places,
        jobs: Iterable[Fingerprint],
        settings: GradingSettings,
        processes: int | None = None,
        read: Callable[[Job], None] = lambda job: None,
    ) -> None:
        for one in jobs:
            read(Folders.of(places).job(one.student, one.assignment))

    for module in (preparing, regrade):
        patched.setattr(module, "grade", grade)


def decide(app: AutogradeApp, work: Job, points: Mapping[str, tuple[float, float]]) -> None:
    """Store a result for a job as if it had been graded. points: got and most, by exercise."""
    exercises = []
    for name, (got, most) in points.items():
        outcome = Outcome.PASSED if got == most else Outcome.FAILED
        judged = [CheckGrade("one", "Is right", outcome, most - got, visible=True)]
        judged += [CheckGrade("two", "Is there", Outcome.PASSED, got, visible=True)]
        exercises.append(ExerciseGrade(name, tuple(judged)))
    feedback = {
        name: Feedback(f"<div>{name}: {got:g}</div>", f"{name}: {got:g}")
        for name, (got, _) in points.items()
    }
    grade = Grade("", "", work.assignment, "graded", tuple(exercises), locked=True)
    settings, note = GradingSettings(True, 10.0, 1), Feedback("", "")
    Results(places_of(app.coursedir).results).put(
        Result(work.digest, work.edition, settings, grade, feedback, note)
    )
