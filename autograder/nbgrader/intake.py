"""What lies in the folders of those who have handed in, as jobs: bytes, or the reason for none."""

from __future__ import annotations

import itertools
import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from autograder.batch.jobs import Job
from autograder.course import assignments, edition
from autograder.grading.source_text import FORMS, LIMITS, SORTS
from autograder.ingest import archives, ids, notebook
from autograder.ingest.files import Unreadable, read
from autograder.ingest.notebook import Cell


class Folders:
    """Where a course keeps what was handed in: <step>/<student>/<assignment>/.

    Of a student, earlier assignments are looked at as well, since modules import them.
    """

    def __init__(self, submitted: Path) -> None:
        self._submitted = submitted
        self._edition = edition()

    def students(self, assignment: str) -> list[str]:
        """Those who have handed in something for an assignment, whatever it is."""
        if not self._submitted.is_dir():
            return []
        return sorted(
            entry.name
            for entry in os.scandir(self._submitted)
            if os.path.lexists(Path(entry.path) / assignment) and not entry.name.startswith(".")
        )

    def job(self, student: str, assignment: str) -> Job:
        """What a student has handed in of an assignment."""
        try:
            files = self._own(student, assignment)
        except Unreadable as problem:
            return Job(student, assignment, {}, self._told(problem), self._edition)
        for earlier in itertools.takewhile(lambda name: name != assignment, assignments()):
            if not any(f"{earlier}{form}" in files for form in FORMS):
                files |= self._earlier(student, earlier)
        return Job(student, assignment, files, "", self._edition)

    def _own(self, student: str, assignment: str) -> dict[str, bytes]:
        """The files of one assignment. Raises Unreadable."""
        folder = self._submitted / student / assignment
        for place in (folder.parent, folder):
            if place.is_symlink() or not place.is_dir():
                kind = "a link" if place.is_symlink() else "a file"
                raise Unreadable(f"{place} is {kind}, not a folder. Collect it again.")
        names = _listed(folder)
        wanted = [f"{name}{form}" for name in assignments() for form in FORMS]
        files = {name: _read(folder / name) for name in wanted if name in names}
        if any(f"{assignment}{form}" in files for form in FORMS):
            return files
        other = _the_only_one([name for name in names if name not in files], folder, assignment)
        if archives.is_archive(other):
            return files | _packed(folder / other, wanted, assignment)
        return files | {f"{assignment}{Path(other).suffix}": _read(folder / other)}

    def _earlier(self, student: str, assignment: str) -> dict[str, bytes]:
        """Those handed in for another assignment; its own grade says what is wrong with them."""
        folder = self._submitted / student / assignment
        try:
            names = _listed(folder)
            wanted = [f"{assignment}{form}" for form in FORMS]
            return {name: _read(folder / name) for name in wanted if name in names}
        except Unreadable:
            return {}

    def _told(self, problem: Unreadable) -> str:
        """The reason without where the course is kept."""
        return str(problem).replace(f"{self._submitted}{os.sep}", "")


def is_id(name: str) -> bool:
    """Return whether a folder's name can be a student's id."""
    try:
        ids.checked(name)
    except ids.NoId:
        return False
    return True


def _listed(folder: Path) -> list[str]:
    try:
        return sorted(entry.name for entry in os.scandir(folder))
    except OSError as problem:
        raise Unreadable(f"{folder} cannot be read: {problem.strerror}.") from None


def _the_only_one(names: Iterable[str], folder: Path, assignment: str) -> str:
    """The module, notebook or archive that must be meant. Raises Unreadable."""
    files = list(_gradable(names))
    match [name for name in files if archives.stem(name) == assignment] or files:
        case [only]:
            return only
        case []:
            raise _nothing(folder, assignment)
        case several:
            raise Unreadable(
                f"{folder} holds several files ({', '.join(several[:3])}), none of them named "
                f"{assignment}.ipynb. Name the one that counts so."
            )


def _nothing(place: Path, assignment: str) -> Unreadable:
    return Unreadable(
        f"{place} holds no submission: expected {assignment}.ipynb or {assignment}.py."
    )


def _gradable(names: Iterable[str]) -> Iterator[str]:
    """Those of a kind that can be graded, but for modules and notebooks of other assignments."""
    for name in names:
        stem, form = os.path.splitext(name)
        known = form in FORMS and stem not in assignments()
        if (known or archives.is_archive(name)) and not name.startswith("."):
            yield name


def _packed(archive: Path, wanted: Iterable[str], assignment: str) -> dict[str, bytes]:
    """The wanted files of an archive, that of the assignment among them. Raises Unreadable."""
    found = archives.unpacked(archive, {name: LIMITS[Path(name).suffix] for name in wanted})
    if not any(f"{assignment}{form}" in found for form in FORMS):
        raise _nothing(archive, assignment)
    return {name: _slimmed(data, Path(name).suffix) for name, data in found.items()}


def _read(path: Path) -> bytes:
    return _slimmed(read(path, LIMITS[path.suffix], *SORTS[path.suffix]), path.suffix)


def _slimmed(data: bytes, form: str) -> bytes:
    """A module; of a notebook what grading looks at, so that a class fits into memory."""
    if form != ".ipynb":
        return data
    try:
        cells = [_slim(cell) for cell in notebook.cells(data)]
    except notebook.Damaged:
        return data  # whoever grades it says what is wrong with it
    return json.dumps({"nbformat": 4, "cells": cells}).encode()


def _slim(cell: Cell) -> dict[str, Any]:
    slim: dict[str, Any] = {"cell_type": cell.kind, "source": cell.source}
    slim["metadata"] = {"tags": cell.tags}
    if cell.names:
        slim["metadata"]["nbgrader"] = {"grade_id": cell.names[0]}
        slim["id"] = cell.names[-1]
    return slim
