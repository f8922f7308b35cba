"""Collect submissions from downloads of a website.

Students control the names and contents of the files. What is no plain file, or above the limits, is
refused for its student alone, with a message; all others are collected.
"""

from __future__ import annotations

import os
import shutil
from datetime import datetime
from pathlib import Path
from typing import Any

from nbgrader.apps.zipcollectapp import ZipCollectApp
from nbgrader.plugins.zipcollect import ExtractorPlugin, FileNameCollectorPlugin

from autograder.nbgrader.copying import (
    MAX_DEPTH,
    TWO_FORMS,
    Copying,
    opened,
    why_anothers,
)
from autograder.nbgrader.times import TIMESTAMP, is_time_unreadable, parsed, time_of
from autograder.nbgrader.trouble import sentence, stops_all
from autograder.submissions import archives, ids
from autograder.submissions.class_folder import of_another
from autograder.submissions.files import Unreadable
from autograder.submissions.folders import IGNORED, within
from autograder.submissions.kinds import unread
from autograder.submissions.names import downloaded, is_an_assignments
from autograder.submissions.source_text import form

MOST_NAMED = 5  # files in a line
PATTERN = (
    "named_regexp is not used in this course. Remove it, and rename the downloads whose students "
    "cannot be told from their names: files to STUDENT_ASSIGNMENT.ipynb, folders to STUDENT."
)
OF_ANOTHER = (
    "is not collected: it may be of {}, or of a classmate whose name has a number. Rename it to "
    "STUDENT.zip, or move it to a folder named after its student."
)


class Extractor(ExtractorPlugin):
    """Copy downloads as they are: the engine reads archives in memory, with limits.

    What belongs to no submission is not copied.
    """

    def extract(self, archive_path: str, extracted_path: str) -> None:
        """Copy the files of each student who has only plain ones within the limits.

        `ANNA` and `anna` are two students, as everywhere: nobody's files cost another one's. Names
        that differ only in how letters are written would be one student's, and are all refused. A
        student of whom nothing can be collected is named with the reason. A full disk stops the
        command, and leaves nothing that would stop the next one.
        """
        people: dict[str, _Downloaded] = {}
        try:
            for student, entries in self._by_student(archive_path).items():
                for path, name in entries:
                    own = people.setdefault(student, _Downloaded(self._copying(student), name))
                    own.take(path, Path(extracted_path) / path.name, name)
        except OSError as problem:
            for path in Path(extracted_path).iterdir():
                _remove(path)
            self.parent.fail(sentence(problem))
        for student, own in people.items():
            for names in own.left_out:
                self.log.warning("%s: skipped, of no kind that is graded: %s", student, names)
            if own.refused:
                self.log.error("%s is not collected: %s", student, own.refused)

    def _copying(self, student: str) -> Copying:
        is_own = _names_are_read_by_us(self.parent)
        wanted = _is_wanted if is_own else lambda name, is_folder: True
        return Copying(self.parent.coursedir, student, self.log, wanted)

    def _by_student(self, archive_path: str) -> dict[str, list[tuple[Path, str]]]:
        """Return the entries of each student, with the name as it is in each.

        What may be a classmate's is left out, and named, if the student would be refused for it.
        """
        found: dict[str, list[tuple[Path, str]]] = {}
        for entry in sorted(os.scandir(archive_path), key=lambda entry: entry.name):
            student, name = self._student(entry)
            if student:
                found.setdefault(student, []).append((Path(entry.path), name))
        for student, entries in found.items():
            paths = [path for path, _ in entries]
            others = of_another(student, paths, self.parent.coursedir.assignment_id)
            for path in others:
                self.log.error("%s %s", path, OF_ANOTHER.format(student))
            found[student] = [one for one in entries if one[0] not in others]
        return found

    def _student(self, entry: os.DirEntry[str]) -> tuple[str, str]:
        """Return an entry's student, and the name as it is there; "" twice if it has none."""
        if not _names_are_read_by_us(self.parent):
            return entry.name, entry.name
        student = "" if is_an_assignments(entry.name) else entry.name
        if not entry.is_dir(follow_symlinks=False):
            student, _ = _whose((entry.name,), self.parent.coursedir.assignment_id)
        if not student:
            if said := unread(entry.name):
                self.log.error("%s is not collected: it %s", entry.path, said)
            elif entry.name != TIMESTAMP:
                self.log.warning(
                    "%s is skipped: expected STUDENT_%s.ipynb, or a folder or archive named after "
                    "its student.",
                    entry.path,
                    self.parent.coursedir.assignment_id,
                )
            return "", ""
        try:
            return ids.checked(student), student
        except ids.NoId as reason:
            self.log.error("%s is skipped: %s", entry.path, reason)
            return "", ""


class _Downloaded:
    """The files and folders of one student.

    name: the student's, as it is in the first of them. refused: why none of them is collected, or
    "". left_out: names of files that are not, one text for each folder.
    """

    def __init__(self, copying: Copying, name: str) -> None:
        self.left_out: list[str] = []
        self._copying = copying
        self._name = name
        self._problem = ""
        self._empty: list[str] = []  # why each file or folder has no submission, or ""
        self._copies: list[Path] = []

    @property
    def refused(self) -> str:
        return self._problem or (self._empty[0] if all(self._empty) else "")

    def take(self, source: Path, to: Path, name: str) -> None:
        """Copy a file or a folder; if that fails, remove all copies and take nothing more.

        name: of the student, as it is in this one. Raises OSError if all others would fail.
        """
        if name != self._name:
            self._refuse(TWO_FORMS.format(self._name, name))
        if self._problem:
            return
        if anothers := why_anothers(to):
            return self._refuse(anothers)
        self._copies.append(to)
        if problem := _why_not_copied(self._copying, source, to):
            return self._refuse(problem)
        self._empty.append(_why_nothing(source, to))
        if names := _left_out(source, to):
            self.left_out.append(names)

    def _refuse(self, problem: str) -> None:
        """Remove all copies."""
        self._problem = problem
        self.left_out.clear()
        for path in self._copies:
            _remove(path)


def _names_are_read_by_us(app: ZipCollectApp) -> bool:
    """Return whether the instructor has left it to Collector to tell what belongs to whom."""
    return isinstance(app.collector_plugin_inst, Collector)


def _is_wanted(name: str, is_folder: bool) -> bool:
    """Return whether a file in a student's folder is collected, or a folder searched."""
    return not IGNORED.fullmatch(name) if is_folder else _is_submission(name)


def _is_submission(name: str) -> bool:
    return bool(form(name)) or archives.is_archive(name)


def _why_not_copied(copying: Copying, source: Path, to: Path) -> str:
    """Copy a file or a folder. Returns why not, or "". Raises OSError if all others would fail."""
    try:
        if source.is_dir() and not source.is_symlink():
            to.mkdir()
            with opened(source) as top:
                copying.folder(top, to)
        else:
            with opened(source.parent.resolve()) as top:
                copying.file(source.name, top, to)
    except Unreadable as reason:
        return str(reason)
    except OSError as problem:
        if stops_all(problem):
            raise
        return sentence(problem)
    return ""


def _why_nothing(source: Path, copied: Path) -> str:
    """Return why no submission was copied from a file or folder, or ""."""
    if not copied.is_dir():
        return "" if copied.exists() else f"{source} is too large. Ask for a smaller file."
    if any(path.is_file() for path in copied.rglob("*")):
        return ""
    try:
        for path in within(source, MAX_DEPTH):
            if said := unread(path.name):
                return f"{path} {said}"
    except Unreadable as reason:
        return str(reason)
    return f"{source} holds no module, notebook or archive. Ask for one."


def _left_out(source: Path, copied: Path) -> str:
    """Return the names of a student's files that are left out, if others in the folder are not.

    If there are too many to list, say so.
    """
    if not copied.is_dir() or not any(path.is_file() for path in copied.rglob("*")):
        return ""
    try:
        there = [*within(source, MAX_DEPTH)]
    except Unreadable as reason:
        return str(reason)
    names = [
        str(path.relative_to(source))
        for path in there
        if os.path.isfile(path) and not _is_submission(path.name) and path.name != TIMESTAMP
    ]
    more = [f"and {len(names) - MOST_NAMED} more"] if len(names) > MOST_NAMED else []
    return ", ".join([*names[:MOST_NAMED], *more])


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


class Collector(FileNameCollectorPlugin):
    """Find the student of a downloaded file from the first part of its path in the archive.

    nbgrader's named_regexp is refused: it is searched in whole paths, so what students call the
    files in their folders would decide whose they are.
    """

    def __init__(self, **named: Any) -> None:
        super().__init__(**named)
        if self.named_regexp:
            self.parent.fail(PATTERN)
        self._taken: dict[str, set[str]] = {}  # names of files by student
        self._folders: dict[str, set[str]] = {}  # names of the folders in which they are
        self._times: dict[Path, datetime | None] = {}  # by folder of the download

    def collect(self, submitted_file: str) -> dict[str, Any] | None:
        """Return student_id, file_id and timestamp, or None for a file that belongs to nobody."""
        app = self.parent
        extracted = Path(app._format_collect_path(app.extracted_directory))
        parts = Path(submitted_file).relative_to(extracted).parts
        student, name = _whose(parts, app.coursedir.assignment_id)
        if not name:
            return None
        try:
            student = ids.checked(student)
        except ids.NoId as reason:
            self.log.error("%s", reason)
            return None
        taken = self._taken.setdefault(student, set())
        folders = self._folders.setdefault(student, set())
        above = {str(parent) for parent in Path(name).parents}
        if name in taken or name in folders or above & taken:  # nbgrader would stop for the class
            self.log.error(
                "%s is skipped: %s has handed in another %s. Delete the one that does not "
                "count, and collect again.",
                submitted_file,
                student,
                name,
            )
            return None
        taken.add(name)
        folders |= above
        return {"student_id": student, "file_id": name, "timestamp": self._time(parts, student)}

    def _time(self, parts: tuple[str, ...], student: str) -> datetime | None:
        """Return the time that lies beside a file in its student's folder, or None."""
        *folders, _ = parts
        folder = Path(self.parent._format_collect_path(self.parent.archive_directory), *folders)
        if not folders:
            return None
        if folder not in self._times:
            self._times[folder] = parsed(time_of(folder))
            if is_time_unreadable(folder):
                self.log.warning(
                    "%s: %s contains no valid time; it is ignored.", student, folder / TIMESTAMP
                )
        return self._times[folder]


def _whose(parts: tuple[str, ...], assignment: str) -> tuple[str, str]:
    """Return a downloaded file's student and its name in their folder; "" twice if it has none."""
    first, *inside = parts
    if inside:
        is_theirs = _is_submission(inside[-1]) and not is_an_assignments(first)
        return (first, "/".join(inside)) if is_theirs else ("", "")
    student, own = downloaded(first)
    if archives.is_archive(own):
        student, name = student or archives.stem(own).removesuffix(f"_{assignment}"), own
    else:
        name, end = f"{assignment}{form(own)}", f"_{assignment}{form(own)}"
        if not form(own) or not (own == name if student else own.endswith(end)):
            return "", ""
        student = student or own.removesuffix(end)
    return ("", "") if is_an_assignments(student) else (student, name)
