"""Collect submissions from nbgrader's exchange and from downloads of a website.

Students control the files of both. Links, and submissions above the limits, are refused for their
student alone, with a message; all others are collected.
"""

from __future__ import annotations

import fnmatch
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

from nbgrader.exchange.default import ExchangeCollect
from nbgrader.plugins.zipcollect import ExtractorPlugin, FileNameCollectorPlugin

from autograder.nbgrader.places import OWN
from autograder.nbgrader.times import TIMESTAMP, parsed, time_of
from autograder.submissions import archives, ids
from autograder.submissions.files import FLAGS, Unreadable
from autograder.submissions.folders import MOST
from autograder.submissions.names import handed_in
from autograder.submissions.source_text import form, stem

MAX_DEPTH = 10  # of nested folders
CHUNK = 1 << 20  # bytes
Record = dict[str, Any]  # of nbgrader: username, filename, timestamp; filename "" means skip it


class Collect(ExchangeCollect):
    """Collect plain files from the exchange, within nbgrader's limits.

    nbgrader's own class follows links with the rights of the instructor, and stops for the whole
    class at a name or a size that it does not expect.
    """

    inbound_path: str
    src_records: list[Record]
    check_owner: bool

    def _path_to_record(self, path: str) -> Record:
        """Read the student and the time from the name of a folder, which students choose."""
        name = os.path.basename(path)
        match name.rsplit("+", 3):
            case [student, _, time, *_] if ids.is_id(student) and (handed := parsed(time)):
                return {"username": student, "filename": name, "timestamp": handed}
        self.log.error("%s is skipped: nbgrader submit gives no such name.", ascii(path))
        return {"username": name, "filename": "", "timestamp": datetime.min}

    def copy_files(self) -> None:
        """Copy plain files to a temporary folder, and let nbgrader decide what to collect there."""
        own = Path(self.coursedir.root) / OWN
        own.mkdir(exist_ok=True)
        inbound, checks_owner = self.inbound_path, self.check_owner
        with tempfile.TemporaryDirectory(prefix="collecting-", dir=own) as copies:
            self.src_records = [
                record for record in self.src_records if self._is_copied(record, Path(copies))
            ]
            self.inbound_path, self.check_owner = copies, False  # the originals were checked
            try:
                super().copy_files()
            finally:
                self.inbound_path, self.check_owner = inbound, checks_owner

    def _is_copied(self, record: Record, copies: Path) -> bool:
        """Copy a student's files if nbgrader needs them. Returns False if nothing is to collect."""
        student, name = record["username"], record["filename"]
        collected = self.coursedir.format_path(
            self.coursedir.submitted_directory, student, self.coursedir.assignment_id
        )
        if not name:
            return False
        if os.path.isdir(collected) and not (self.update or self.before_duedate):
            return True  # nbgrader leaves it as it is
        to = copies / name
        to.mkdir()
        try:
            self._copy(Path(self.inbound_path) / name, to, student)
            if not time_of(to):  # the student may have written anything into that file
                (to / TIMESTAMP).write_text(
                    f"{record['timestamp']:%Y-%m-%d %H:%M:%S.%f} UTC", "utf-8"
                )
        except Unreadable as reason:
            self.log.error("%s is not collected: %s Nothing was changed.", student, reason)
            return False
        except OSError as problem:
            self.log.error("%s is not collected: %s.", student, problem.strerror)
            return False
        return True

    def _copy(self, source: Path, to: Path, student: str) -> None:
        """Copy a student's folder. Raises Unreadable if it has other than plain files, OSError."""
        remaining = 1000 * self.coursedir.max_dir_size
        most = 1000 * self.coursedir.max_file_size
        count = 0
        with _opened(source) as top:
            self._check_owner(source, student, os.fstat(top).st_uid)
            for folder, folders, files, at in os.fwalk(".", dir_fd=top, onerror=_stop):
                if Path(folder).parts[MAX_DEPTH:]:
                    raise Unreadable(f"its folders are nested more than {MAX_DEPTH} deep.")
                count += len(folders) + len(files)
                if count > MOST:
                    raise Unreadable(f"there are more than {MOST} files in it.")
                folders[:] = [name for name in folders if not self._is_ignored(name)]
                for name in folders:
                    if not stat.S_ISDIR(os.lstat(name, dir_fd=at).st_mode):
                        raise _refused(name)
                    (to / folder / name).mkdir()
                for name in files:
                    if self._is_ignored(name):
                        continue
                    with _plain_file(name, at) as file:
                        size = os.fstat(file).st_size
                        if size > most:
                            self.log.warning(
                                "%s: %s is too large and left out.", student, ascii(name)
                            )
                            continue
                        remaining -= size
                        if remaining < 0:
                            raise Unreadable("it is larger than CourseDirectory.max_dir_size.")
                        _write(file, size, to / folder / name)

    def _check_owner(self, source: Path, student: str, owner: int) -> None:
        """Warn of a submission that belongs to another user, as nbgrader does."""
        import pwd  # Windows has no such module, and no exchange

        try:
            name = pwd.getpwuid(owner).pw_name
        except KeyError:
            name = "an unknown user"
        if self.check_owner and name != student:
            self.log.warning(
                "%s claims to be from %s, but its owner is %s. If that is expected, set "
                "c.ExchangeCollect.check_owner = False.",
                source,
                student,
                name,
            )

    def _is_ignored(self, name: str) -> bool:
        return any(fnmatch.fnmatch(name, pattern) for pattern in self.coursedir.ignore)


def _stop(problem: OSError) -> None:
    """Raise the error of a folder that cannot be read, which os.fwalk would ignore."""
    raise problem


@contextmanager
def _opened(folder: Path) -> Iterator[int]:
    """Open a folder that is not a link. Raises Unreadable, OSError."""
    if folder.is_symlink() or not folder.is_dir():
        raise Unreadable("the submission is not a folder.")
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


@contextmanager
def _plain_file(name: str, folder: int) -> Iterator[int]:
    """Open a file in an open folder. Raises Unreadable if it is a link or hard link, OSError."""
    if not _is_plain(os.lstat(name, dir_fd=folder)):  # opening a pipe or device may have effects
        raise _refused(name)
    flags = sum(getattr(os, flag, 0) for flag in FLAGS)
    descriptor = os.open(name, os.O_RDONLY | flags, dir_fd=folder)
    try:
        if not _is_plain(os.fstat(descriptor)):
            raise _refused(name)
        yield descriptor
    finally:
        os.close(descriptor)


def _is_plain(found: os.stat_result) -> bool:
    return stat.S_ISREG(found.st_mode) and found.st_nlink == 1


def _refused(name: str) -> Unreadable:
    return Unreadable(f"{name!a} is a link, or not a file. Ask for the file itself.")


def _write(source: int, size: int, path: Path) -> None:
    """Copy at most `size` bytes of an open file: its owner may be writing to it."""
    with path.open("xb") as file:
        while size > 0 and (data := os.read(source, min(size, CHUNK))):
            file.write(data)
            size -= len(data)


class Extractor(ExtractorPlugin):
    """Copy downloads as they are: the engine reads archives in memory, with limits."""

    def extract(self, archive_path: str, extracted_path: str) -> None:
        """Copy each regular file; log others and those that cannot be copied."""
        for folder, folders, names in os.walk(archive_path):
            inside = Path(folder).relative_to(archive_path)
            if len(inside.parts) >= MAX_DEPTH:  # os.walk itself fails at a depth of a thousand
                self.log.error("%s is skipped: it is nested too deep.", folder)
                folders.clear()
                continue
            for name in sorted([*folders, *names]):
                source = Path(folder) / name
                if source.is_symlink() or not (source.is_file() or source.is_dir()):
                    self.log.error("%s is skipped: it is a link, or not a file.", source)
                elif source.is_file():
                    self._copy(source, Path(extracted_path) / inside / name)

    def _copy(self, source: Path, to: Path) -> None:
        try:
            to.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, to)
        except OSError as problem:
            self.log.error("%s is skipped: %s.", source, problem.strerror)


class Collector(FileNameCollectorPlugin):
    """Find the student of a downloaded file from the first part of its path in the archive."""

    def __init__(self, **named: Any) -> None:
        super().__init__(**named)
        self._taken: dict[str, set[str]] = {}  # names of files by student

    def collect(self, submitted_file: str) -> dict[str, str] | None:
        """Return student_id and file_id, or None for a file that belongs to nobody.

        named_regexp decides instead if an instructor has set it.
        """
        if self.named_regexp:
            return super().collect(submitted_file)
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
        if any(_collides(name, other) for other in taken):  # nbgrader would stop for the class
            self.log.error(
                "%s is skipped: %s has handed in another %s. Delete the one that does not "
                "count, and collect again.",
                submitted_file,
                student,
                name,
            )
            return None
        taken.add(name)
        return {"student_id": student, "file_id": name}


def _collides(name: str, other: str) -> bool:
    """Return whether two files cannot be in one folder: one name equals the other or a parent."""
    return name == other or name.startswith(f"{other}/") or other.startswith(f"{name}/")


def _whose(parts: tuple[str, ...], assignment: str) -> tuple[str, str]:
    """Return a downloaded file's student and its name in their folder; "" twice if it has none."""
    first, *inside = parts
    if inside:
        is_submission = form(inside[-1]) or archives.is_archive(inside[-1])
        return (first, "/".join(inside)) if is_submission else ("", "")
    student, own = handed_in(first)
    if archives.is_archive(own):
        name = archives.stem(own)
        return student or name.removesuffix(f"_{assignment}"), own
    ends = (
        own == f"{assignment}{form(own)}" if student else own.endswith(f"_{assignment}{form(own)}")
    )
    if not form(own) or not ends:
        return "", ""
    return student or stem(own).removesuffix(f"_{assignment}"), f"{assignment}{form(own)}"
