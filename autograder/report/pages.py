"""Write the pages of submissions into a folder, each with a name of its own."""

from __future__ import annotations

import itertools
import os
from collections.abc import Sequence
from pathlib import Path

from autograder.grading.grade import Grade
from autograder.report.writing import NotOurs, check_folders, check_ours, write
from autograder.submissions import ids
from autograder.submissions.reports import PAGE

PROGRESS = "progress.html"  # the page of one person's progress


def check_folder(folder: Path) -> None:
    """Raise UsageError if a folder cannot be there, or has pages that are not ours."""
    check_folders(folder)
    if not os.path.isdir(folder):
        check_ours(folder, PAGE)
        return
    try:
        pages = sorted(path for path in folder.iterdir() if path.suffix == ".html")
    except OSError as problem:
        raise NotOurs(f"{folder} cannot be read: {problem.strerror}. Name another place.") from None
    for path in pages:
        check_ours(path, PAGE)


class Pages:
    """The pages of all submissions, in a folder.

    students: the ids of all submissions. They decide whether an id alone can name a page, and no
    name that is made up is one of them.
    """

    def __init__(self, folder: Path, students: Sequence[str]) -> None:
        self.folder = folder
        self.count = 0
        self._students = {ids.key(student) for student in students}
        self._unique = len(self._students) == len(students)
        self._used: set[str] = set()

    def write(self, grade: Grade, page: str) -> Path:
        """Write the page of the next grade. Raises NotOurs, CannotWrite."""
        path = self.next_path(grade)
        write(path, page, PAGE)
        return path

    def write_progress(self, page: str) -> Path:
        """Write the page that leads to all others, which are one person's. See `write`."""
        path = self.folder / PROGRESS
        self._used.add(ids.key(path.stem))
        write(path, page, PAGE)
        return path

    def earlier(self) -> list[str]:
        """Return the names of pages in the folder that none of these submissions has."""
        there = (path for path in self.folder.iterdir() if path.suffix == ".html")
        return sorted(path.name for path in there if ids.key(path.stem) not in self._used)

    def next_path(self, grade: Grade) -> Path:
        """Return the path of the next page, named after the student's id and made unique."""
        self.count += 1
        try:
            name = ids.checked(grade.submission)
            taken = self._used
        except ids.NoId:
            name = f"submission {self.count}"
            taken = self._used | self._students
        name = name if self._unique else f"{name} {grade.assignment or 'unknown'}"
        numbered = (f"{name} {number}" for number in itertools.count(self.count))
        name = next(one for one in itertools.chain([name], numbered) if ids.key(one) not in taken)
        self._used.add(ids.key(name))
        return self.folder / f"{name}.html"
