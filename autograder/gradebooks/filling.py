"""Fill grades into a platform's table: choose the new texts of cells, and tell what is unusual.

A grade in a table is at most what the platform gives for the assignment. If that is another number
than the assignment's points, somebody has to say that grades are to be scaled.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.errors import UsageError
from autograder.gradebooks import grades, points
from autograder.gradebooks.matching import Found
from autograder.gradebooks.table import Cell
from autograder.report.writing import listed, named_path

if TYPE_CHECKING:
    from autograder.classroom.document import Submission

OTHER_MOST = (
    "{} has {} points here and {} in {}. Change one of them, or scale the grades, rounded down to "
    "hundredths: --scale"
)
NO_MOST = "{} does not say how many points {} has there. Set them on the platform, download again."
BY_COLUMN = "The ids of the class were looked for in the column {}; some are in {}, too."
NOT_THERE = "In the class, but not in {file}: {names}."
NOT_GRADED = "In {file}, but not in the class: {names}."
STAFF = "Left as it was, since it needs staff: {names}."
UNREADABLE = "0 points, since nothing could be read: {names}."
CHANGED = "Another grade was there: {names}."


class Filled:
    """The new texts of cells. changed: students whose grade was another one, with both."""

    def __init__(self) -> None:
        self.new = dict[Cell, str]()
        self.changed = list[str]()

    def put(self, student: str, cell: Cell, text: str) -> None:
        """Put a grade into a cell. A cell that has it already stays, however it is written."""
        before = cell.text.strip()
        if not before or points.read(before) != points.read(text):
            self.new[cell] = text
            if before:
                self.changed.append(f"{student} ({before} becomes {text})")


def add_arguments(parser: argparse.ArgumentParser, download: str, id_column: str) -> None:
    """Add the arguments of formats that fill in a table. download: what the platform calls it."""
    grades.add_arguments(parser, "the file to write, which must not exist")
    parser.add_argument(
        "--into",
        type=named_path,
        required=True,
        metavar="FILE",
        help=f"{download}; it stays as it is",
    )
    parser.add_argument("--id-column", metavar="NAME", help=id_column)
    parser.add_argument(
        "--scale",
        action="store_true",
        help="scale grades to the points of the platform, rounded down to hundredths",
    )


def grade(submission: Submission, cell: str, options: argparse.Namespace, where: str) -> str:
    """Return a grade as the text of a cell.

    cell: what the table says about the most points. where: a phrase that says where that stands.
    Raises UsageError.
    """
    most = points.read(cell)
    if not most:
        raise UsageError(NO_MOST.format(options.into, where))
    earned, own = points.exact(submission.score), points.exact(submission.max_score)
    if submission.status == "unreadable":
        return points.written(Fraction(0))
    if own == most:
        return points.written(earned)
    if not options.scale:
        own_text, text = points.written(own), points.written(most)
        raise UsageError(OTHER_MOST.format(submission.assignment, own_text, text, where))
    return points.written(points.scaled(earned, own, most))


def remarks(
    submissions: Sequence[Submission],
    found: Found,
    others: Sequence[str],
    changed: Sequence[str],
    into: Path,
) -> Iterator[str]:
    """Yield the sentences about students whose cells are not simply filled.

    others: students of the table who are not in the class.
    """
    if found.others:
        yield BY_COLUMN.format(found.column, listed(found.others))
    said = {
        NOT_THERE: [one.submission for one in submissions if one.submission not in found.rows],
        NOT_GRADED: others,
        STAFF: [one.submission for one in submissions if grades.waits_for_staff(one)],
        UNREADABLE: [one.submission for one in submissions if one.status == "unreadable"],
        CHANGED: changed,
    }
    for sentence, names in said.items():
        if names:
            yield sentence.format(file=into, names=listed(names))
