"""Grade anew what was autograded, after a check was mended: what would change, change it, undo it.

nbgrader's autograde would do so as well, with --force, but nobody would see what it changes, and
there is no way back. Here the gradebook changes in one transaction, behind a journal of what stood
there. Manual scores, extra credit and comments are nobody's but the instructors'.
"""

from __future__ import annotations

import json
import os
import shutil
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import nbformat
from nbgrader.api import Grade, Gradebook, SubmittedNotebook
from nbgrader.apps import AutogradeApp
from nbgrader.preprocessors import AssignLatePenalties
from sqlalchemy.orm import Session

from autograder.batch.results import Part, Result, Results
from autograder.ingest import ids
from autograder.nbgrader import MARK, engine
from autograder.nbgrader.exporter import SubmissionExporter
from autograder.nbgrader.intake import Folders
from autograder.nbgrader.places import Places
from autograder.nbgrader.run import grade, of_course

JOURNAL = "journal.json"
ANEW = "has handed in something else since. Run make autograde."
NOT_YET = "was not autograded yet. Run make autograde."
STAFF = "came to no result. Run make regrade again, then look at it yourself."
TABLES = {"grade": Grade, "notebook": SubmittedNotebook}
WIDTH = 80
NAMED = 3  # checks, as the reason for a change


class CannotUndo(Exception):
    """A regrade cannot be undone; the text says why and what to do."""


@dataclass(frozen=True)
class Change:
    """The points for one exercise of a student, before and after."""

    student: str
    exercise: str
    before: float | None
    after: float
    why: str

    @property
    def gain(self) -> float:
        return self.after - (self.before or 0.0)


@dataclass
class Plan:
    """What a regrade would do. results: by student, of those whose notebooks change."""

    assignment: str
    changes: list[Change] = field(default_factory=list)
    results: dict[str, Result] = field(default_factory=dict)
    left: dict[str, str] = field(default_factory=dict)

    def lines(self) -> Iterator[str]:
        """For a terminal."""
        for change in self.changes:
            before = "none" if change.before is None else f"{change.before:g}"
            yield f"{change.student}  {change.exercise}: {before} -> {change.after:g}"
            if change.why:
                yield from textwrap.wrap(
                    change.why, WIDTH, initial_indent=" " * 4, subsequent_indent=" " * 4
                )
        for student, reason in self.left.items():
            yield f"{ids.shown(student)} {reason}"
        gains: dict[str, float] = {}
        for change in self.changes:
            gains[change.student] = gains.get(change.student, 0.0) + change.gain
        more = [gain for gain in gains.values() if gain > 0]
        less = [-gain for gain in gains.values() if gain < 0]
        yield (
            f"{self.assignment}: {len(more)} gain {sum(more):g} points, {len(less)} lose "
            f"{sum(less):g}; of {len(self.results)} the feedback is written anew"
        )


def plan(app: AutogradeApp, assignment: str) -> Plan:
    """What grading anew would change. Raises CannotRun."""
    made, places = Plan(assignment), of_course(app.coursedir)
    folders, results = Folders(places.submitted), Results(places.results)
    old: dict[str, Result | None] = {}
    new: dict[str, str] = {}
    for student in folders.students(assignment):
        job, mark = folders.job(student, assignment), places.mark(student, assignment)
        if not mark.digest:
            made.left[student] = NOT_YET
        elif mark.content != job.content:
            made.left[student] = ANEW
        elif mark.digest != job.digest:
            old[student], new[student] = results.get(mark.digest), job.digest
    grade(places, assignment, list(new), SubmissionExporter(parent=app).terms)
    with Gradebook(app.coursedir.db_url) as gradebook:
        for student, digest in new.items():
            result = results.get(digest)
            if result is None:
                made.left[student] = STAFF
                continue
            made.results[student] = result
            kept = gradebook.find_submission_notebook(assignment, assignment, student)
            made.changes += _changes(student, kept, old[student], result)
    return made


def apply(app: AutogradeApp, planned: Plan) -> None:
    """Do what was planned: all of it, or after an interruption again. Raises OSError."""
    places = of_course(app.coursedir)
    with Gradebook(app.coursedir.db_url) as gradebook:
        rows: list[dict[str, Any]] = []
        for student, result in planned.results.items():
            kept = gradebook.find_submission_notebook(
                planned.assignment, planned.assignment, student
            )
            rows += _regraded(kept, result, app, gradebook.db)
        _write_journal(places, planned, rows)
        gradebook.db.commit()
    for student, result in planned.results.items():
        _rewrite(places.graded(student, planned.assignment), result)


def undo(app: AutogradeApp) -> str:
    """Put back what stood there before the last regrade. Returns the assignment.

    Raises CannotUndo, and nothing has changed then.
    """
    places = of_course(app.coursedir)
    journals = sorted(places.regrades.glob(f"*/{JOURNAL}"), key=lambda path: int(path.parent.name))
    if not journals:
        raise CannotUndo("There is no regrade to undo.")
    journal = json.loads(journals[-1].read_text(encoding="utf-8"))
    with Gradebook(app.coursedir.db_url) as gradebook:
        for row in journal["rows"]:
            found = gradebook.db.get(TABLES[row["table"]], row["id"])
            for name, (before, after) in row["values"].items():
                now = getattr(found, name, None)
                if now not in (before, after):
                    raise CannotUndo(
                        f"{row['student']}, {row['what']}: {name} is {now}, and was {after} after "
                        "the regrade. Somebody has changed it since; nothing was undone."
                    )
                setattr(found, name, before)
        gradebook.db.commit()
    for copy in journals[-1].parent.glob("*.ipynb"):
        _replace(places.graded(copy.stem, journal["assignment"]), copy.read_bytes())
    shutil.rmtree(journals[-1].parent)
    return str(journal["assignment"])


def _changes(
    student: str, kept: SubmittedNotebook, old: Result | None, new: Result
) -> Iterator[Change]:
    before = {grade.name: grade.auto_score for grade in kept.grades}
    parts = {part.name: part for part in old.exercises} if old else {}
    for part in new.exercises:
        if part.name in before and before[part.name] != part.points:
            why = _why(parts.get(part.name), part)
            yield Change(student, part.name, before[part.name], part.points, why)


def _why(old: Part | None, new: Part) -> str:
    """The checks that have another outcome now."""
    outcomes = {check.name: check.outcome for check in old.checks} if old else {}
    said = [
        f"{check.title}: {outcomes.get(check.name, 'not asked')}, now {check.outcome}"
        for check in new.checks
        if outcomes.get(check.name) != check.outcome
    ]
    more = [f"and {len(said) - NAMED} more"] if len(said) > NAMED else []
    return "; ".join(said[:NAMED] + more)


def _regraded(
    kept: SubmittedNotebook, result: Result, app: AutogradeApp, db: Session
) -> Iterator[dict[str, Any]]:
    """Set the points, and what follows from them. Yields what stood there, for the journal."""
    points = {part.name: part.points for part in result.exercises}
    for row in kept.grades:
        if row.name in points and row.auto_score != points[row.name]:
            before = row.auto_score, row.needs_manual_grade
            row.auto_score = points[row.name]
            # What somebody has decided stays, and is to be looked at again.
            row.needs_manual_grade = row.manual_score is not None
            after = row.auto_score, row.needs_manual_grade
            values = dict(
                zip(
                    ("auto_score", "needs_manual_grade"),
                    zip(before, after, strict=True),
                    strict=True,
                )
            )
            yield _row("grade", row, kept, row.name, values)
    db.flush()
    db.refresh(kept)  # its score is a sum that the database makes
    penalty = kept.late_submission_penalty
    kept.late_submission_penalty = _penalty(kept, app)
    if kept.late_submission_penalty != penalty:
        values = {"late_submission_penalty": (penalty, kept.late_submission_penalty)}
        yield _row("notebook", kept, kept, "the penalty for being late", values)


def _penalty(kept: SubmittedNotebook, app: AutogradeApp) -> float | None:
    """The penalty for being late, by the plug-in that nbgrader is configured with."""
    late = kept.assignment.total_seconds_late
    if late <= 0:
        return None
    assigning = AssignLatePenalties(parent=app)
    assigning.init_plugin()
    penalty = assigning.plugin_inst.late_submission_penalty(kept.student.id, kept.score, late)
    return None if penalty is None else assigning._check_late_penalty(kept, penalty)


def _row(
    table: str, row: Any, kept: SubmittedNotebook, what: str, values: dict[str, tuple[Any, Any]]
) -> dict[str, Any]:
    return {
        "table": table,
        "id": row.id,
        "student": kept.student.id,
        "what": what,
        "values": values,
    }


def _write_journal(places: Places, planned: Plan, rows: list[dict[str, Any]]) -> None:
    """Keep what stood there, before anything changes: the rows, and the autograded notebooks."""
    there = [int(folder.name) for folder in places.regrades.glob("[0-9]*")]
    folder = places.regrades / str(max(there, default=0) + 1)
    folder.mkdir(parents=True)
    for student in planned.results:
        shutil.copy(places.graded(student, planned.assignment), folder / f"{student}.ipynb")
    text = json.dumps({"assignment": planned.assignment, "rows": rows})
    _replace(folder / JOURNAL, text.encode())


def _rewrite(path: Path, result: Result) -> None:
    """Put the new feedback into an autograded notebook."""
    notebook = nbformat.read(path, as_version=4)
    content = notebook.metadata[MARK]["content"]
    engine.write(notebook, result)
    notebook.metadata[MARK]["content"] = content
    _replace(path, nbformat.writes(notebook).encode() + b"\n")


def _replace(path: Path, data: bytes) -> None:
    """Write a file so that it is whole at any time, with the permissions that it had."""
    unfinished = path.with_suffix(".part")
    with open(unfinished, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    if path.exists():
        shutil.copymode(path, unfinished)
    os.replace(unfinished, path)
