"""Export grades in nbgrader's table, with what is optional and the status as further columns."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from nbgrader.api import Assignment, Gradebook, MissingEntry, Student
from nbgrader.apps import ExportApp
from nbgrader.plugins import ExportPlugin

from autograder import whole_file
from autograder.nbgrader.places import Places, places_of
from autograder.nbgrader.trouble import CannotRun, in_one_sentence
from autograder.report.totals import is_optional
from autograder.report.writing import CannotWrite, harmless, telling

COLUMNS = (
    "assignment",
    "duedate",
    "timestamp",
    "student_id",
    "last_name",
    "first_name",
    "email",
    "raw_score",
    "late_submission_penalty",
    "score",
    "max_score",
    "optional",
    "status",
)
MISSING, REFUSED, STAFF, GRADED = "missing", "refused", "needs_staff", "graded"
DEFAULT = "grades.csv"


NBGRADERS_START = ExportApp.start


def report_in_one_sentence() -> None:
    """Let nbgrader export end with a sentence, not with a traceback, for a gradebook in use."""
    ExportApp.start = _start


def _start(app: ExportApp) -> None:
    try:
        with in_one_sentence():
            NBGRADERS_START(app)
    except CannotRun as reason:
        app.fail("%s", reason)


class Export(ExportPlugin):
    """Exporter of nbgrader's columns, of "yes" if the assignment is optional, and of a status.

    missing: there is no submission. refused: nothing could be graded, and nobody has looked at it.
    needs_staff: a person must look at one of its cells. graded: nothing is left to do.
    In nbgrader's own table the first three look like a score of zero.
    """

    def export(self, gradebook: Gradebook) -> None:
        """Write the table atomically, or end the command with a sentence."""
        path, table = Path(self.to or DEFAULT), self._table(gradebook)
        self.log.info("Exporting grades to %s", path)
        try:
            with telling(path):
                mode = path.stat().st_mode & 0o777 if path.exists() else 0o600
                whole_file.write(path, table, mode)
        except CannotWrite as reason:
            self.parent.fail("%s", reason)

    def _table(self, gradebook: Gradebook) -> str:
        made = io.StringIO(newline="")
        writer = csv.DictWriter(made, COLUMNS, lineterminator="\n")
        writer.writeheader()
        for row in self._rows(gradebook):
            shown = {name: "" if value is None else str(value) for name, value in row.items()}
            writer.writerow({name: harmless(value) for name, value in shown.items()})
        return made.getvalue()

    def _rows(self, gradebook: Gradebook) -> Iterator[dict[str, Any]]:
        wanted, students = {*map(str, self.assignment)}, {*map(str, self.student)}
        places = places_of(self.parent.coursedir)
        for assignment in gradebook.assignments:
            for student in gradebook.students:
                if (not wanted or assignment.name in wanted) and (
                    not students or student.id in students
                ):
                    yield _row(gradebook, places, assignment, student)


def _row(
    gradebook: Gradebook, places: Places, assignment: Assignment, student: Student
) -> dict[str, Any]:
    row = {
        "assignment": assignment.name,
        "duedate": assignment.duedate,
        "student_id": student.id,
        "last_name": student.last_name,
        "first_name": student.first_name,
        "email": student.email,
        "max_score": assignment.max_score,
        "optional": "yes" if is_optional(assignment.name) else "",
    }
    try:
        found = gradebook.find_submission(assignment.name, student.id)
    except MissingEntry:
        none = dict.fromkeys(("raw_score", "late_submission_penalty", "score"), 0.0)
        return {**row, **none, "status": MISSING}
    penalty = found.late_submission_penalty
    row |= {"timestamp": found.timestamp, "raw_score": found.score}
    row |= {"late_submission_penalty": penalty, "score": max(0.0, found.score - penalty)}
    is_refused = places.mark(student.id, assignment.name).status == "unreadable"
    unfinished = REFUSED if is_refused else STAFF
    return {**row, "status": unfinished if found.needs_manual_grade else GRADED}
