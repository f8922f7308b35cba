"""Collect submissions from downloads of a website.

Students control the names and contents of the files. What is no plain file, or above the limits, is
refused for its student alone, with a message; all others are collected.
"""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

from nbgrader.apps.zipcollectapp import ZipCollectApp
from nbgrader.plugins.zipcollect import ExtractorPlugin, FileNameCollectorPlugin

from autograder.nbgrader.copying import Copying
from autograder.nbgrader.downloaded import Downloaded, Entry, remove
from autograder.nbgrader.times import TIMESTAMP, is_time_unreadable, parsed, time_of
from autograder.nbgrader.trouble import sentence
from autograder.submissions import archives, ids
from autograder.submissions.class_folder import of_another
from autograder.submissions.folders import is_folder
from autograder.submissions.kinds import IGNORED, unread
from autograder.submissions.left_over import may_hold_work
from autograder.submissions.names import downloaded, is_an_assignments
from autograder.submissions.source_text import form, stem

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

    What belongs to no submission is not copied. What may be the work, or hold it, beside one is
    copied, as an exchange copies it: the rules that choose between a student's files must find it.
    """

    def extract(self, archive_path: str, extracted_path: str) -> None:
        """Copy the files of each student who has only plain ones within the limits.

        `ANNA` and `anna` are two students, as everywhere: nobody's files cost another one's. Names
        that differ only in how letters are written would be one student's, and are all refused. A
        student of whom nothing can be collected is named with the reason. A full disk stops the
        command, and leaves nothing that would stop the next one.
        """
        people: dict[str, Downloaded] = {}
        is_own = _names_are_read_by_us(self.parent)
        counts = _is_submission if is_own else lambda name: True
        try:
            for student, entries in self._by_student(archive_path).items():
                for entry in entries:
                    copying = Copying(self.parent.coursedir, student, self.log)
                    new = Downloaded(copying, self._is_wanted, counts, entry.student)
                    own = people.setdefault(student, new)
                    own.take(entry, Path(extracted_path) / entry.path.name)
        except OSError as problem:
            for path in Path(extracted_path).iterdir():
                remove(path)
            self.parent.fail(sentence(problem))
        for student, own in people.items():
            if own.refused:
                self.log.error("%s is not collected: %s", student, own.refused)
                own.remove()
                continue
            for names in own.left_out:
                self.log.warning("%s: skipped, of no kind that is graded: %s", student, names)

    def _is_wanted(self, folder: Path, inside: Path, is_folder: bool) -> bool:
        """Return whether a file in a student's folder is collected, or a folder searched."""
        if not _names_are_read_by_us(self.parent):
            return True
        if is_folder:
            return not IGNORED.fullmatch(inside.name)
        return _is_submission(inside.name) or self._may_hold_work(folder / inside, str(inside))

    def _may_hold_work(self, path: Path, name: str) -> bool:
        own = name.rpartition("/")[2]
        is_added = IGNORED.fullmatch(own) or own == TIMESTAMP
        return not is_added and may_hold_work(path, name, self.parent.coursedir.assignment_id)

    def _by_student(self, archive_path: str) -> dict[str, list[Entry]]:
        """Return the entries of each student.

        What may hold the work beside a student's submission is among them, if its name says whose
        it is. What may be a classmate's is left out, and named, if the student would be refused for
        it.
        """
        found: dict[str, list[Entry]] = {}
        rest: list[Entry] = []
        for path in sorted(Path(archive_path).iterdir()):
            entry = self._entry(path)
            if not entry.student or not self._counts_alone(entry):
                rest.append(entry)
            elif student := self._id(entry):
                found.setdefault(student, []).append(entry)
        for entry in rest:
            student = ids.composed(entry.student)
            if student in found and self._counts_beside(entry):
                found[student].append(entry)
            else:
                self._say_skipped(entry.path)
        for student, entries in found.items():
            paths = [entry.path for entry in entries]
            others = of_another(student, paths, self.parent.coursedir.assignment_id)
            for path in others:
                self.log.error("%s %s", path, OF_ANOTHER.format(student))
            found[student] = [entry for entry in entries if entry.path not in others]
        return found

    def _entry(self, path: Path) -> Entry:
        if not _names_are_read_by_us(self.parent):
            return Entry(path, path.name)
        if is_folder(path):
            return Entry(path, "" if is_an_assignments(path.name) else path.name)
        return Entry(path, *_whose((path.name,), self.parent.coursedir.assignment_id))

    def _counts_alone(self, entry: Entry) -> bool:
        """Return whether an entry is a submission by its name, whatever lies beside it."""
        if not entry.own or archives.is_archive(entry.own):
            return True
        kind = form(entry.own)
        return bool(kind) and entry.own == f"{self.parent.coursedir.assignment_id}{kind}"

    def _counts_beside(self, entry: Entry) -> bool:
        """Return whether a file is collected with a submission of the same student."""
        return bool(form(entry.own)) or self._may_hold_work(entry.path, entry.own)

    def _id(self, entry: Entry) -> str:
        """Return the id of an entry's student, or "" if the name cannot be one, which is logged."""
        try:
            return ids.checked(entry.student)
        except ids.NoId as reason:
            self.log.error("%s is skipped: %s", entry.path, reason)
            return ""

    def _say_skipped(self, path: Path) -> None:
        if said := unread(path.name):
            self.log.error("%s is not collected: it %s", path, said)
        elif path.name != TIMESTAMP:
            self.log.warning(
                "%s is skipped: expected STUDENT_%s.ipynb, or a folder or archive named after its "
                "student.",
                path,
                self.parent.coursedir.assignment_id,
            )


def _names_are_read_by_us(app: ZipCollectApp) -> bool:
    """Return whether the instructor has left it to Collector to tell what belongs to whom."""
    return isinstance(app.collector_plugin_inst, Collector)


def _is_submission(name: str) -> bool:
    return bool(form(name)) or archives.is_archive(name)


class Collector(FileNameCollectorPlugin):
    """Find the student of a downloaded file from the first part of its path in the archive.

    What Extractor has copied is collected. nbgrader's named_regexp is refused: it is searched in
    whole paths, so what students call the files in their folders would decide whose they are.
    """

    def __init__(self, **named: Any) -> None:
        super().__init__(**named)
        if self.named_regexp:
            self.parent.fail(PATTERN)
        self._times: dict[Path, datetime | None] = {}  # by folder of the download

    def collect(self, submitted_file: str) -> dict[str, Any] | None:
        """Return student_id, file_id and timestamp, or None for a file that belongs to nobody."""
        app = self.parent
        extracted = Path(app._format_collect_path(app.extracted_directory))
        parts = Path(submitted_file).relative_to(extracted).parts
        student, name = _whose(parts, app.coursedir.assignment_id)
        if not student:
            return None
        try:
            student = ids.checked(student)
        except ids.NoId as reason:
            self.log.error("%s", reason)
            return None
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
    student, own = (first, "/".join(inside)) if inside else _of_loose(first, assignment)
    return ("", "") if not student or is_an_assignments(student) else (student, own)


def _of_loose(name: str, assignment: str) -> tuple[str, str]:
    """Return the student of a file that lies in no folder, by its name, and its name in theirs.

    Its kind may be any: `anna_attention_layer.7z` is anna's, as the notebook of that name is.
    """
    student, own = downloaded(name)
    if student:
        return student, own
    if archives.is_archive(name):
        return archives.stem(name).removesuffix(f"_{assignment}"), name
    student = stem(archives.stem(Path(name).stem)).removesuffix(f"_{assignment}")
    return student, name.removeprefix(f"{student}_")
