"""A Canvas gradebook: one column of the instructor's own download, filled in.

Format: Canvas's gradebook_exporter.rb and gradebook_importer.rb. The first row has the names of the
columns, `Title (id)` for an assignment; a row may follow that says `Manual Posting`, then comes
`Points Possible`. `EX` is an excused student, `N/A` one who need not hand in.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from dataclasses import replace

from autograder.errors import UsageError
from autograder.gradebooks import filling, grades, matching, table
from autograder.gradebooks.exported import Exported, ExportedFile
from autograder.gradebooks.table import Row, Table
from autograder.grading.fitting import NAME, cut
from autograder.report.writing import listed

HELP = "a Canvas gradebook with one column filled in"
DOWNLOAD = "the gradebook that you downloaded from Canvas"
IDS = ("ID", "SIS User ID", "SIS Login ID")
NAMES = (("Student",), ("LastName", "FirstName"))
ASSIGNMENT = re.compile(r".* \(\d+\)", re.DOTALL)
POINTS = "Points Possible"
POSTING = re.compile(r"\s*(Muted|Manual Posting.*)?\s*", re.IGNORECASE)
READ_ONLY = "(read only)"
KEPT = ("EX", "N/A")  # excused, not assigned
TEST_STUDENT = "Student, Test"  # Canvas's own

CHOOSE = "Name the column of the assignment: --column NAME. {} has {}."
NO_COLUMN = "{} has no column {}. It has {}."
TWO_COLUMNS = "{} has two columns {}. Rename one assignment in Canvas, and download again."
NO_POINTS = "{} has no row {}. Download the whole gradebook again, and name that."
CANNOT = "Canvas says of {} that it is read only. Name another column."
EXCUSED = "Left as it was, EX or N/A: {}."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this format to its parser."""
    filling.add_arguments(parser, DOWNLOAD, f"the column with the class's ids: {', '.join(IDS)}")
    parser.add_argument("--column", metavar="NAME", help='the column to fill, "Title (id)"')


def export(options: argparse.Namespace) -> Exported:
    """Return the filled gradebook. Raises UsageError."""
    submissions = grades.of_class(options, grades.read(options))
    gradebook = table.read(options.into, "a Canvas gradebook", "Canvas", _is_gradebook)
    column = _column(gradebook, options.column)
    most, students = _students(gradebook)
    possible = gradebook.cell(most, column).text
    if READ_ONLY in possible:
        raise UsageError(CANNOT.format(listed([gradebook.columns()[column]])))
    students_only = replace(gradebook, rows=students)
    names = {name: _names(students_only, name) for name in IDS if name in gradebook.columns()}
    by_id = [one.submission for one in submissions]
    found = matching.found(by_id, students_only, names, options.id_column)
    filled, kept = filling.Filled(), list[str]()
    for one in submissions:
        if one.submission in found.rows and not grades.waits_for_staff(one):
            cell = gradebook.cell(found.rows[one.submission], column)
            text = filling.grade(one, possible, options, f"the row {POINTS}")
            if cell.text.strip().upper() in KEPT:
                kept.append(one.submission)
            else:
                filled.put(one.submission, cell, text)
    others = _others(students_only, found.rows)
    said = [*filling.remarks(submissions, found, others, filled.changed, options.into)]
    said += [EXCUSED.format(listed(kept))] if kept else []
    file = ExportedFile(options.out, gradebook.filled(filled.new))
    return Exported((file,), tuple(said), any(map(grades.waits_for_staff, submissions)))


def _is_gradebook(columns: Sequence[str]) -> bool:
    named = any({*names} <= {*columns} for names in NAMES)
    return named and {"ID", "Section"} <= {*columns}


def _column(gradebook: Table, wanted: str | None) -> int:
    """Return the number of the column to fill, which must be an assignment's: others would be new.

    Raises UsageError with the choices.
    """
    columns = gradebook.columns()
    there = [name for name in columns if ASSIGNMENT.fullmatch(name)]
    choices = ", ".join(f'"{cut(name, NAME)}"' for name in there) or "no assignment"
    if wanted is None:
        raise UsageError(CHOOSE.format(gradebook.path, choices))
    if wanted not in there:
        raise UsageError(NO_COLUMN.format(gradebook.path, listed([wanted]), choices))
    if columns.count(wanted) > 1:
        raise UsageError(TWO_COLUMNS.format(gradebook.path, listed([wanted])))
    return columns.index(wanted)


def _students(gradebook: Table) -> tuple[Row, tuple[Row, ...]]:
    """Return the row of the points possible, and the rows of students. Raises UsageError."""
    rows = [row for row in gradebook.rows if not all(POSTING.fullmatch(c.text) for c in row)]
    if not rows or POINTS not in rows[0][0].text:
        raise UsageError(NO_POINTS.format(gradebook.path, POINTS))
    return rows[0], tuple(rows[1:])


def _names(gradebook: Table, column: str) -> list[list[str]]:
    """Return how each student may be called by a column; by ID also as Canvas names files."""
    number = gradebook.columns().index(column)
    found = [[gradebook.cell(row, number).text] for row in gradebook.rows]
    if column == "ID":
        for row, names in zip(gradebook.rows, found, strict=True):
            plain = re.sub(r"[\W_]", "", _name(gradebook, row)).lower()
            names.append(f"{plain}_{names[0].strip()}")
    return found


def _name(gradebook: Table, row: Row) -> str:
    columns = gradebook.columns()
    parts = next(names for names in NAMES if names[0] in columns)
    return ", ".join(gradebook.cell(row, columns.index(part)).text for part in parts)


def _others(gradebook: Table, rows: dict[str, Row]) -> list[str]:
    """Return the names of students who have a row and are not in the class."""
    there = {row[0].start for row in rows.values()}
    others = [_name(gradebook, row) for row in gradebook.rows if row[0].start not in there]
    return [name for name in others if name != TEST_STUDENT]
