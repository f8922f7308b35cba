"""Read submissions from students' folders as jobs: the bytes of files, or the reason for none.

A job is small whatever is in the folder: a notebook is reduced to its text, of a damaged one only
the reason is kept, and one person's files share a limit.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from autograder.classroom.jobs import Damaged, Fingerprint, Job
from autograder.course import edition
from autograder.grading.fitting import printable
from autograder.nbgrader.misplaced import misplaced
from autograder.nbgrader.places import Places
from autograder.nbgrader.readings import Reading, Readings, state
from autograder.runtime.own_files import composed
from autograder.submissions import by_assignment, earlier, left_over, notebook
from autograder.submissions.files import TooSlow, Unreadable, in_time
from autograder.submissions.folders import (
    DEPTH,
    check_count,
    check_folder,
    check_plain,
    is_closed,
    is_folder,
    listed,
    may_be_handed_in,
)
from autograder.submissions.imports import imports
from autograder.submissions.kinds import IGNORED
from autograder.submissions.left_over import HandedIn
from autograder.submissions.notebook import Cell
from autograder.submissions.own_modules import is_free
from autograder.submissions.person_files import folder_of
from autograder.submissions.source_text import decode, form
from autograder.submissions.submission_files import SubmissionFiles

MOST = 32_000_000  # bytes of one job: more than any notebook without its outputs


class Folders:
    """The folders of submissions in a course: <step>/<student>/<assignment>/.

    A job also contains the student's earlier assignments, since modules import them.
    readings: the folder in which is kept what came of reading them; by default it is not kept.
    """

    def __init__(self, submitted: Path, readings: Path | None = None) -> None:
        self._submitted = submitted
        self._edition = edition()
        self._readings = Readings(readings) if readings else None

    @classmethod
    def of(cls, places: Places) -> Folders:
        """Return the folders of a course, whose readings are kept."""
        return cls(places.submitted, places.readings)

    def students(self, assignment: str) -> list[str]:
        """Return the students who have, or may have, submitted anything for an assignment."""
        if not self._submitted.is_dir():
            return []
        return sorted(
            entry.name
            for entry in os.scandir(self._submitted)
            if _may_have(Path(entry.path), assignment) and not entry.name.startswith(".")
        )

    def misplaced(self, assignment: str) -> list[str]:
        """Return files that may be work for an assignment, but do not lie in a folder of it.

        These are files beside the folders of students, and files of students who have none for it.
        """
        if not self._submitted.is_dir():
            return []
        found = []
        for entry in os.scandir(self._submitted):
            name, path = entry.name, Path(entry.path)
            is_searched = entry.is_dir(follow_symlinks=False)  # a link is refused
            if not is_searched and may_be_handed_in(name):
                found += misplaced(self._submitted, {name: path}, assignment)
            elif is_searched and not _may_have(path, assignment):
                there = misplaced(path, listed(path, DEPTH), assignment)
                found += [f"{name}/{one}" for one in there]
        return sorted(name for name in found if not IGNORED.fullmatch(name))

    def fingerprint(self, student: str, assignment: str) -> Fingerprint:
        """Return the identity of a student's submission, which is read only if it has changed."""
        known = self._known(student, assignment, self._state(student, assignment))
        if known:
            return Fingerprint(student, assignment, known.content, self._edition)
        return self.job(student, assignment).fingerprint

    def job(self, student: str, assignment: str) -> Job:
        """Return a student's submission for an assignment.

        If reading it took too long and its files have not changed, it is not read again.
        """
        state = self._state(student, assignment)
        known = self._known(student, assignment, state)
        if known and known.too_slow:
            return Job(student, assignment, {}, known.too_slow, self._edition)
        found, refused, too_slow = _Content(assignment), "", ""
        try:
            with in_time(self._submitted / student / assignment):
                self._add(found, student, assignment)
        except Unreadable as problem:
            refused, found = self._without_root(problem), _Content(assignment)
            too_slow = refused if isinstance(problem, TooSlow) else ""
        files = found.files, refused, self._edition, found.damaged, found.folder, found.imports
        job = Job(student, assignment, *files)
        if self._readings:
            self._readings.put(student, assignment, Reading(state, job.content, too_slow))
        return job

    def _state(self, student: str, assignment: str) -> str:
        """Return the state of the files that a job may have, as they are before it is read."""
        names = [*earlier.before(assignment), assignment]
        own = self._submitted / student
        return state((own / name for name in names), self._edition) if self._readings else ""

    def _known(self, student: str, assignment: str, state: str) -> Reading | None:
        return self._readings.get(student, assignment, state) if self._readings else None

    def _add(self, found: _Content, student: str, assignment: str) -> None:
        """Add the files that count, under the assignment's name, and those that they may import.

        Earlier work that was not handed in again is among these. Raises Unreadable.
        """
        folder = self._submitted / student / assignment
        check_plain(folder.parent, "Collect it again.")
        check_folder(folder.parent)
        check_plain(folder, "Collect it again.")
        check_count(folder)
        files = by_assignment.opened(folder.parent, assignment, is_alone=True)
        forms = left_over.forms(files, assignment, HandedIn(folder))
        counted = files.counted(forms, assignment)
        imported = [_imported(files, name) for name in counted]
        own = dict.fromkeys(
            name for homes, more in imported for names in (*homes.values(), more) for name in names
        )
        around = _around(files, [*counted, *own])
        found.folder = _text(f"{folder_of(counted[0])}/".removeprefix(around).removeprefix("/"))
        for name in [*counted, *forms]:  # a notebook that does not count is shown beside a module
            if (known := f"{found.folder}{assignment}{form(name)}") not in found:
                found.add(known, files.data(name), shown=True)
        for name in own:
            known = name.removeprefix(around)
            with contextlib.suppress(Unreadable):  # it counts as not submitted
                if known not in found:
                    found.add(known, files.data(name))
        for key, names in (one for homes, _ in imported for one in homes.items()):
            there = [*found.imports.get(key, ()), *(name.removeprefix(around) for name in names)]
            found.imports[key] = [*dict.fromkeys(there)]

    def _without_root(self, problem: Unreadable) -> str:
        """Return the reason as plain text, without the path of the course's folder."""
        return printable(str(problem).replace(f"{self._submitted}{os.sep}", ""))


def _may_have(folder: Path, assignment: str) -> bool:
    """Return whether a student's folder has anything for an assignment, or nobody can tell."""
    return os.path.lexists(folder / assignment) or (is_folder(folder) and is_closed(folder))


class _Content:
    """The files of one job, in at most MOST bytes. assignment: of the job."""

    def __init__(self, assignment: str) -> None:
        self.files: dict[str, bytes] = {}
        self.damaged: dict[str, Damaged] = {}
        self.folder = ""
        self.imports: dict[str, list[str]] = {}
        self._place = Path(assignment)  # names no student: equal files are graded once
        self._remaining = MOST

    def __contains__(self, known: str) -> bool:
        return known in self.files or known in self.damaged

    def add(self, known: str, data: bytes, shown: bool = False) -> None:
        """Add a file under its standard name, or the reason why it cannot be graded.

        shown: keep the cells of a notebook that are not code, for its page. Raises Unreadable if
        the name is not UTF-8.
        """
        _text(known)
        try:
            slim = _slimmed(data, self._place / known, shown)
            self._remaining -= len(slim)
            if self._remaining < 0:
                raise Unreadable(f"{self._place} has too much in it. Keep only your own work.")
            self.files[known] = slim
        except Unreadable as problem:
            self.damaged[known] = Damaged(str(problem), hashlib.sha256(data).hexdigest())


def _text(name: str) -> str:
    """Return the name of a file or a folder. Raises Unreadable if it is not UTF-8."""
    try:
        name.encode()
    except UnicodeEncodeError:
        raise Unreadable(f"The name {name!a} is not UTF-8. Rename it.") from None
    return name


def _imported(files: SubmissionFiles, name: str) -> tuple[dict[str, list[str]], list[str]]:
    """Return the files that a file may import, as `imported` does; none if it cannot be read."""
    with contextlib.suppress(Unreadable):
        return files.imported(name)
    return {}, []


def _around(files: SubmissionFiles, names: Sequence[str]) -> str:
    """Return the folders that hold all files, with a slash, up to a package that code imports.

    names: the files that count, and those that they may import.
    """
    codes = [files.code(name) for name in names if files.is_readable(name)]
    words = {word for code in codes for word in imports(code)}
    parts = [*map(composed, files.top.split("/"))]
    first = (count for count, part in enumerate(parts) if is_free(part) and part in words)
    return "".join(f"{part}/" for part in files.top.split("/")[: next(first, None)])


def _slimmed(data: bytes, path: Path, shown: bool) -> bytes:
    """Reduce a notebook to what grading reads. Raises Unreadable, as grading would."""
    if form(path.name) != ".ipynb":
        return data
    try:
        cells = [_slim(cell, shown) for cell in notebook.cells(data)]
    except notebook.DamagedNotebook:
        decode(data, path)  # raises the same in a sentence, or a better one
        raise
    slim = json.dumps({"nbformat": 4, "cells": cells}, ensure_ascii=False)
    return slim.encode(errors="backslashreplace")  # half a surrogate pair becomes an escape again


def _slim(cell: Cell, shown: bool) -> dict[str, Any]:
    source = cell.source if shown or cell.kind == "code" else ""
    slim: dict[str, Any] = {"cell_type": cell.kind, "source": source}
    slim["metadata"] = {"tags": cell.tags}
    if cell.names:
        slim["metadata"]["nbgrader"] = {"grade_id": cell.names[0]}
        slim["id"] = cell.names[-1]
    return slim
