"""Write where a class stands into a folder: a page, tables and JSON for each assignment."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from autograder import whole_file
from autograder.classroom.document import Submission
from autograder.errors import UsageError
from autograder.overview import tables
from autograder.overview.page import page
from autograder.overview.standing import Standing, standings, without_names
from autograder.report.writing import NotOurs, check_folders, listed, telling
from autograder.submissions.reports import PAGE, has_mark

NOTHING = "There are no results to show. Grade somebody first."
UNKNOWN = "Not on a page, since the assignment is not known: {}. Add --assignment NAME."
NAMED = 5  # students in a sentence
NAME = "class.html"


def check_folder(folder: Path) -> None:
    """Raise NotOurs if a folder cannot be there, or holds what this program has not written."""
    check_folders(folder)
    if not os.path.lexists(folder):
        return
    if not folder.is_dir():
        raise NotOurs(f"{folder} is no folder. Name another place.")
    for one in sorted(folder.iterdir()):
        if not has_mark(one / NAME, PAGE):
            raise NotOurs(f"{folder} holds {one.name}, which is not of this program. Name another.")


def write(submissions: Iterable[Submission], folder: Path, named: bool) -> Iterator[str]:
    """Write a page and tables for each assignment, and yield where the page is.

    named: whether they have the ids of students. Raises NotOurs, CannotWrite, and UsageError if
    there are no results.
    """
    check_folder(folder)
    found = standings(submissions)
    if not found:
        raise UsageError(NOTHING)
    for standing in found:
        if not standing.assignment:
            yield UNKNOWN.format(listed([one.student for one in standing.ungraded], NAMED))
            continue
        own = folder / standing.assignment
        for name, text in _files(standing if named else without_names(standing)).items():
            with telling(own / name):
                own.mkdir(parents=True, exist_ok=True)
                whole_file.write(own / name, text)  # nobody else may read grades
        yield f"wrote {os.path.relpath(own / NAME)}"


def _files(standing: Standing) -> dict[str, str]:
    return {
        NAME: page(standing),
        "class.json": tables.as_json(standing),
        "exercises.csv": tables.exercises(standing),
        "mistakes.csv": tables.mistakes(standing),
        "checks.csv": tables.checks(standing),
    }
