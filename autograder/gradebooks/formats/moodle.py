"""Moodle's grading worksheet of an assignment, filled in.

Format: Moodle's mod/assign/gradingtable.php and mod/assign/feedback/offline. The names of the
columns are in the language of the instructor, so each can be named. Moodle matches rows by
`Identifier`, `Participant 1234`.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence

from autograder.errors import UsageError
from autograder.gradebooks import filling, grades, matching, table
from autograder.gradebooks.comment import comment
from autograder.gradebooks.exported import Exported, ExportedFile
from autograder.gradebooks.table import Cell, Row, Table
from autograder.report.writing import listed

HELP = "a Moodle grading worksheet with grades and feedback filled in"
DOWNLOAD = "the grading worksheet that you downloaded from Moodle"
IDENTIFIER, LOCKED = "identifier", "grade can be changed"
IDS = (IDENTIFIER, "id number", "email address", "username")
OTHERS = (  # which are neither filled in nor read
    "full name",
    "status",
    "last modified (submission)",
    "last modified (grade)",
    "online text",
    "marker",
    "marking workflow state",
)
GRADE, MOST, COMMENT = "grade", "maximum grade", "feedback comments"
NUMBER = re.compile(r"\D(\d+)$")  # of a participant

NO_COLUMN = (
    "{} has no column {}, perhaps since it is in another language. It has {}. Say which it is: "
    "{} NAME"
)
NO_IDS = "{} has none of the columns {}. It has {}. Say which has the ids: --id-column NAME"
TWO_COLUMNS = "{} has two columns {}. Download it again, with each column once."
NO_COMMENTS = "There is no feedback column in {}, so only grades are filled in. To name it: {} NAME"
ANOTHER = "The column {} of {} holds the {}, not the {}. Name another one: {} NAME"
FOR_TWO = "The column {} of {} is named as {} and as {}. Name two columns."
REPLACED = "Another comment was there: {}."
UNCHANGED = "Left as it was, since Moodle has locked the grade: {}."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this format to its parser."""
    filling.add_arguments(parser, DOWNLOAD, f"the column with the class's ids ({IDENTIFIER})")
    for name in (GRADE, MOST, COMMENT):
        parser.add_argument(
            _option(name), metavar="NAME", help=f"the name of the column {name} in your language"
        )


def export(options: argparse.Namespace) -> Exported:
    """Return the filled worksheet. Raises UsageError."""
    submissions = grades.of_class(options, grades.read(options))
    sheet = table.read(options.into, "a Moodle worksheet", "Moodle", lambda names: len(names) > 2)
    at_grade, at_most = (_required(sheet, name, options) for name in (GRADE, MOST))
    at_comment = _find(sheet, COMMENT, options)
    _check_apart(sheet, options)
    by_id = [one.submission for one in submissions]
    found = matching.found(by_id, sheet, _names(sheet, options.id_column), options.id_column)
    filled, comments = filling.Filled(), dict[Cell, str]()
    locked, replaced = list[str](), list[str]()
    for one in submissions:
        row = found.rows.get(one.submission)
        if row is None or grades.waits_for_staff(one):
            continue
        most = sheet.cell(row, at_most).text
        text = filling.grade(one, most, options, f"the column {sheet.columns()[at_most]}")
        if _is_locked(sheet, row):
            locked.append(one.submission)
            continue
        filled.put(one.submission, sheet.cell(row, at_grade), text)
        if at_comment is not None:
            cell = sheet.cell(row, at_comment)
            comments[cell] = comment(one)
            if cell.text.strip() not in ("", comments[cell]):
                replaced.append(one.submission)
    file = ExportedFile(options.out, sheet.filled(filled.new | comments, quoted=comments))
    others = _others(sheet, found.rows)
    said = [*filling.remarks(submissions, found, others, filled.changed, options.into)]
    said += [REPLACED.format(listed(replaced))] if replaced else []
    said += [UNCHANGED.format(listed(locked))] if locked else []
    if at_comment is None:
        said.append(NO_COMMENTS.format(options.into, _option(COMMENT)))
    return Exported((file,), tuple(said), any(map(grades.waits_for_staff, submissions)))


def _option(column: str) -> str:
    return f"--{column.split()[0]}-column"


def _find(sheet: Table, name: str, options: argparse.Namespace) -> int | None:
    """Return the number of a column, by the name that the user gave or the English one.

    Raises UsageError if what the user named is not there, or is known to hold something else.
    """
    given = getattr(options, f"{name.split()[0]}_column")
    if given is not None:
        known = given.strip().casefold()
        if known != name and known in (*IDS, LOCKED, *OTHERS, GRADE, MOST, COMMENT):
            said = (listed([given]), sheet.path, known, name, _option(name))
            raise UsageError(ANOTHER.format(*said))
        return _number(sheet, given, _option(name))
    columns = [one.strip().casefold() for one in sheet.columns()]
    return _number(sheet, sheet.columns()[columns.index(name)]) if name in columns else None


def _required(sheet: Table, name: str, options: argparse.Namespace) -> int:
    """Return the number of a column. Raises UsageError if it is not there."""
    number = _find(sheet, name, options)
    if number is None:
        said = (sheet.path, name, listed(sheet.columns()), _option(name))
        raise UsageError(NO_COLUMN.format(*said))
    return number


def _check_apart(sheet: Table, options: argparse.Namespace) -> None:
    """Raise UsageError if one column is taken for two things, one of which would be lost."""
    found = {_option(name): _find(sheet, name, options) for name in (GRADE, MOST, COMMENT)}
    if options.id_column is not None:
        found["--id-column"] = _number(sheet, options.id_column, "--id-column")
    seen = dict[int, str]()
    for option, number in found.items():
        if number is not None and (other := seen.setdefault(number, option)) != option:
            name = listed([sheet.columns()[number]])
            raise UsageError(FOR_TWO.format(name, sheet.path, other, option))


def _number(sheet: Table, name: str, option: str = "") -> int:
    columns = sheet.columns()
    if name not in columns:
        said = (sheet.path, listed([name]), listed(columns), option)
        raise UsageError(NO_COLUMN.format(*said))
    if columns.count(name) > 1:
        raise UsageError(TWO_COLUMNS.format(sheet.path, listed([name])))
    return columns.index(name)


def _names(sheet: Table, given: str | None) -> dict[str, list[list[str]]]:
    """Return how each student may be called, by column. Raises UsageError."""
    wanted = [given] if given is not None else _known(sheet, IDS)
    if not wanted:
        raise UsageError(NO_IDS.format(sheet.path, listed(IDS), listed(sheet.columns())))
    return {name: _of_column(sheet, name) for name in wanted}


def _known(sheet: Table, names: Sequence[str]) -> list[str]:
    return [name for name in sheet.columns() if name.strip().casefold() in names]


def _of_column(sheet: Table, column: str) -> list[list[str]]:
    """Return the texts of a column; of a participant also the number, and as Moodle names folders.

    A folder has the full name and the number. In which column the former is depends on the
    language, so each other text of the row is taken.
    """
    number = _number(sheet, column, "--id-column")
    found = []
    for row in sheet.rows:
        names = [sheet.cell(row, number).text]
        participant = NUMBER.search(names[0])
        if participant and column.strip().casefold() not in IDS[1:]:
            names.append(participant[1])
            names += [f"{cell.text}_{participant[1]}" for cell in row if cell.text]
        found.append(names)
    return found


def _cell(sheet: Table, row: Row, column: str) -> str:
    return sheet.cell(row, sheet.columns().index(column)).text


def _is_locked(sheet: Table, row: Row) -> bool:
    locked = _known(sheet, (LOCKED,))
    return any(_cell(sheet, row, name).strip().casefold() == "no" for name in locked)


def _others(sheet: Table, rows: dict[str, Row]) -> list[str]:
    """Return the rows of nobody in the class, by their first column."""
    there = {row[0].start for row in rows.values()}
    return [row[0].text for row in sheet.rows if row[0].start not in there]
