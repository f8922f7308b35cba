"""Read submissions from students' folders as jobs: the bytes of files, or the reason for none."""

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
from autograder.grading.fitting import printable
from autograder.submissions import choosing, notebook
from autograder.submissions.files import Unreadable, in_time
from autograder.submissions.notebook import Cell
from autograder.submissions.source_text import FORMS, form, stem
from autograder.submissions.submission_files import SubmissionFiles


class Folders:
    """The folders of submissions in a course: <step>/<student>/<assignment>/.

    A job also contains the student's earlier assignments, since modules import them.
    """

    def __init__(self, submitted: Path) -> None:
        self._submitted = submitted
        self._edition = edition()

    def students(self, assignment: str) -> list[str]:
        """Return the students who have submitted anything for an assignment."""
        if not self._submitted.is_dir():
            return []
        return sorted(
            entry.name
            for entry in os.scandir(self._submitted)
            if os.path.lexists(Path(entry.path) / assignment) and not entry.name.startswith(".")
        )

    def job(self, student: str, assignment: str) -> Job:
        """Return a student's submission for an assignment."""
        try:
            with in_time(self._submitted / student / assignment):
                files = self._own(student, assignment)
                for earlier in itertools.takewhile(lambda one: one != assignment, assignments()):
                    if not any(f"{earlier}{form}" in files for form in FORMS):
                        files |= self._earlier(student, earlier)
        except Unreadable as problem:
            return Job(student, assignment, {}, self._without_root(problem), self._edition)
        return Job(student, assignment, files, "", self._edition)

    def _own(self, student: str, assignment: str) -> dict[str, bytes]:
        """Return the files for one assignment by its standard file names. Raises Unreadable."""
        folder = self._submitted / student / assignment
        for place in (folder.parent, folder):
            if place.is_symlink() or not place.is_dir():
                kind = "a link" if place.is_symlink() else "a file"
                raise Unreadable(f"{place} is {kind}, not a folder. Collect it again.")
        try:
            os.scandir(folder).close()
        except OSError as problem:
            raise Unreadable(f"{folder} cannot be read: {problem.strerror}.") from None
        submitted = choosing.opened(folder, assignment)
        forms = submitted.forms(assignment) or [choosing.candidate(submitted, assignment)]
        files: dict[str, bytes] = {}
        for name in forms:
            if (known := f"{assignment}{form(name)}") not in files:
                files[known] = _slimmed(submitted.data(name), form(name))
            elif stem(forms[0]) != assignment:
                raise _several(folder, forms, assignment)
        return files | _importable(submitted, forms[0], assignment)

    def _earlier(self, student: str, assignment: str) -> dict[str, bytes]:
        """Return the readable files for an earlier assignment; its own grade reports problems."""
        submitted = SubmissionFiles(self._submitted / student / assignment, own=True)
        wanted = {f"{assignment}{form(name)}": name for name in submitted.forms(assignment)}
        return _readable(submitted, wanted)

    def _without_root(self, problem: Unreadable) -> str:
        """Return the reason as plain text, without the path of the course's folder."""
        return printable(str(problem).replace(f"{self._submitted}{os.sep}", ""))


def _importable(submitted: SubmissionFiles, counted: str, assignment: str) -> dict[str, bytes]:
    """Return the readable files that a file may import: other assignments and own modules.

    counted: that file, whose folder is the top of the search.
    """
    wanted = {
        f"{other}{form(name)}": name
        for other in assignments()
        if other != assignment
        for name in reversed(submitted.forms(other, counted))
    }
    return _readable(submitted, {**choosing.own_modules(submitted, counted), **wanted})


def _readable(submitted: SubmissionFiles, wanted: Mapping[str, str]) -> dict[str, bytes]:
    """Return the contents of files under new names, without those that cannot be read.

    wanted: the present names by the new ones.
    """
    found = {}
    for known, name in wanted.items():
        with contextlib.suppress(Unreadable):  # it counts as not submitted
            found[known] = _slimmed(submitted.data(name), form(name))
    return found


def _several(place: Path, names: Sequence[str], assignment: str) -> Unreadable:
    return Unreadable(
        f"{place} holds several files ({', '.join(names[:3])}), none of them named "
        f"{assignment}.ipynb. Give that name to the one that counts."
    )


def _slimmed(data: bytes, form: str) -> bytes:
    """Reduce a notebook to what grading reads, so that a class fits into memory."""
    if form != ".ipynb":
        return data
    try:
        cells = [_slim(cell) for cell in notebook.cells(data)]
    except notebook.DamagedNotebook:
        return data  # the grader reports the problem
    slim = json.dumps({"nbformat": 4, "cells": cells}, ensure_ascii=False)
    return slim.encode(errors="backslashreplace")  # half a surrogate pair becomes an escape again


def _slim(cell: Cell) -> dict[str, Any]:
    slim: dict[str, Any] = {"cell_type": cell.kind, "source": cell.source}
    slim["metadata"] = {"tags": cell.tags}
    if cell.names:
        slim["metadata"]["nbgrader"] = {"grade_id": cell.names[0]}
        slim["id"] = cell.names[-1]
    return slim
