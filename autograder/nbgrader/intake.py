"""What lies in the folders of those who have handed in, as jobs: bytes, or the reason for none."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from autograder.classroom.jobs import Job
from autograder.course import assignments, edition
from autograder.submissions import archives, notebook
from autograder.submissions.files import Unreadable
from autograder.submissions.notebook import Cell
from autograder.submissions.source_text import FORMS, form, stem
from autograder.submissions.submission_files import SubmissionFiles


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
        """The files of one assignment, by the names that it gives them. Raises Unreadable."""
        folder = self._submitted / student / assignment
        for place in (folder.parent, folder):
            if place.is_symlink() or not place.is_dir():
                kind = "a link" if place.is_symlink() else "a file"
                raise Unreadable(f"{place} is {kind}, not a folder. Collect it again.")
        work = _opened(folder, assignment)
        forms = work.forms(assignment) or [_the_only_one(work, assignment)]
        files: dict[str, bytes] = {}
        for name in forms:
            if (known := f"{assignment}{form(name)}") not in files:
                files[known] = _slimmed(work.data(name), form(name))
            elif stem(forms[0]) != assignment:
                raise _several(folder, forms, assignment)
        return files | _beside(work, forms[0], assignment)

    def _earlier(self, student: str, assignment: str) -> dict[str, bytes]:
        """Those handed in for another assignment; its own grade says what is wrong with them."""
        work = SubmissionFiles(self._submitted / student / assignment, own=True)
        return _readable(
            work, {f"{assignment}{form(name)}": name for name in work.forms(assignment)}
        )

    def _told(self, problem: Unreadable) -> str:
        """The reason without where the course is kept."""
        return str(problem).replace(f"{self._submitted}{os.sep}", "")


def _opened(folder: Path, assignment: str) -> SubmissionFiles:
    """The files of a folder, or of the one archive in it. Raises Unreadable."""
    try:
        os.scandir(folder).close()
    except OSError as problem:
        raise Unreadable(f"{folder} cannot be read: {problem.strerror}.") from None
    work = SubmissionFiles(folder, own=True)
    packed = work.names(archives.is_archive)
    named = [name for name in packed if archives.stem(name.rpartition("/")[2]) == assignment]
    candidates = named or [*packed, *_unnamed(work)]
    if work.forms(assignment) or not packed:
        return work
    if len(candidates) > 1:
        raise _several(folder, candidates, assignment)
    unpacked = SubmissionFiles.unpacked(folder / candidates[0])
    if not unpacked.forms(assignment):
        raise _nothing(unpacked.place, assignment)
    return unpacked


def _the_only_one(work: SubmissionFiles, assignment: str) -> str:
    """The module or notebook that must be meant, whatever its name; not one that it imports.

    Raises Unreadable.
    """
    names = _unnamed(work)
    imported = {own for name in names for own in _own_modules(work, name).values()}
    match [name for name in names if name not in imported]:
        case [only]:
            return only
        case []:
            raise _nothing(work.place, assignment)
        case several:
            raise _several(work.place, several, assignment)


def _unnamed(work: SubmissionFiles) -> list[str]:
    """The modules and notebooks that are not named after an assignment."""
    known = {name for one in assignments() for name in work.forms(one)}
    return [name for name in work.names() if name not in known]


def _beside(work: SubmissionFiles, meant: str, assignment: str) -> dict[str, bytes]:
    """What may be imported from a file: other assignments, and own modules; those that can be read.

    meant: the file, a folder of which is taken for the top.
    """
    wanted = {
        f"{other}{form(name)}": name
        for other in assignments()
        if other != assignment
        for name in reversed(work.forms(other, meant))
    }
    return _readable(work, {**_own_modules(work, meant), **wanted})


def _own_modules(work: SubmissionFiles, name: str) -> dict[str, str]:
    """Return the own modules that a file imports; none where it cannot be read."""
    try:
        return work.own_modules(name)
    except Unreadable:
        return {}


def _readable(work: SubmissionFiles, wanted: Mapping[str, str]) -> dict[str, bytes]:
    """The contents of some files, by other names; without what cannot be read."""
    found = {}
    for known, name in wanted.items():
        with contextlib.suppress(Unreadable):  # it counts as not handed in
            found[known] = _slimmed(work.data(name), form(name))
    return found


def _several(place: Path, names: Sequence[str], assignment: str) -> Unreadable:
    return Unreadable(
        f"{place} holds several files ({', '.join(names[:3])}), none of them named "
        f"{assignment}.ipynb. Name the one that counts so."
    )


def _nothing(place: Path, assignment: str) -> Unreadable:
    return Unreadable(
        f"{place} holds no submission: expected {assignment}.ipynb or {assignment}.py."
    )


def _slimmed(data: bytes, form: str) -> bytes:
    """A module; of a notebook what grading looks at, so that a class fits into memory."""
    if form != ".ipynb":
        return data
    try:
        cells = [_slim(cell) for cell in notebook.cells(data)]
    except notebook.DamagedNotebook:
        return data  # whoever grades it says what is wrong with it
    return json.dumps({"nbformat": 4, "cells": cells}).encode()


def _slim(cell: Cell) -> dict[str, Any]:
    slim: dict[str, Any] = {"cell_type": cell.kind, "source": cell.source}
    slim["metadata"] = {"tags": cell.tags}
    if cell.names:
        slim["metadata"]["nbgrader"] = {"grade_id": cell.names[0]}
        slim["id"] = cell.names[-1]
    return slim
