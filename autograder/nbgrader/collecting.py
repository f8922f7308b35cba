"""Collecting what was handed in: from nbgrader's exchange, and from what a website gave.

Students write both. What leads elsewhere, or is more than a submission may be, is refused for the
student whose it is, in a sentence; everybody else's is collected.
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

DEEP = 10  # folders in one another
CHUNK = 1 << 20  # bytes
Record = dict[str, Any]  # nbgrader's: username, filename, timestamp; no filename to pass it over


class Collect(ExchangeCollect):
    """Collect from the exchange what is plain files, within nbgrader's limits.

    nbgrader's own copies what a link leads to, with the rights of whoever collects; and a name or a
    size that it does not expect ends it for all.
    """

    inbound_path: str
    src_records: list[Record]
    check_owner: bool

    def _path_to_record(self, path: str) -> Record:
        """What a folder of the exchange is by its name, which students choose."""
        name = os.path.basename(path)
        match name.rsplit("+", 3):
            case [student, _, time, *_] if ids.is_id(student) and (handed := parsed(time)):
                return {"username": student, "filename": name, "timestamp": handed}
        self.log.error("%s is passed over: nbgrader submit gives no such name.", ascii(path))
        return {"username": name, "filename": "", "timestamp": datetime.min}

    def copy_files(self) -> None:
        """Let nbgrader decide what to collect, out of copies that only plain files are in."""
        own = Path(self.coursedir.root) / OWN
        own.mkdir(exist_ok=True)
        inbound, checks_owner = self.inbound_path, self.check_owner
        with tempfile.TemporaryDirectory(prefix="collecting-", dir=own) as room:
            self.src_records = [
                record for record in self.src_records if self._is_copied(record, Path(room))
            ]
            self.inbound_path, self.check_owner = room, False  # which was checked where it was
            try:
                super().copy_files()
            finally:
                self.inbound_path, self.check_owner = inbound, checks_owner

    def _is_copied(self, record: Record, room: Path) -> bool:
        """Copy what nbgrader may want of a student's. False where that is nothing to collect."""
        student, name = record["username"], record["filename"]
        there = self.coursedir.format_path(
            self.coursedir.submitted_directory, student, self.coursedir.assignment_id
        )
        if not name:
            return False
        if os.path.isdir(there) and not (self.update or self.before_duedate):
            return True  # and stays as it is
        to = room / name
        to.mkdir()
        try:
            self._copy(Path(self.inbound_path) / name, to, student)
            if not time_of(to):  # the file may say anything
                (to / TIMESTAMP).write_text(f"{record['timestamp']:%Y-%m-%d %H:%M:%S.%f} UTC")
        except Unreadable as reason:
            self.log.error("%s is not collected: %s Nothing was changed.", student, reason)
            return False
        except OSError as problem:
            self.log.error("%s is not collected: %s.", student, problem.strerror)
            return False
        return True

    def _copy(self, source: Path, to: Path, student: str) -> None:
        """Copy a student's folder. Raises Unreadable for anything but plain files, OSError."""
        left = 1000 * self.coursedir.max_dir_size
        most = 1000 * self.coursedir.max_file_size
        count = 0
        with _opened(source) as top:
            self._check_owner(source, student, os.fstat(top).st_uid)
            for folder, folders, files, at in os.fwalk(".", dir_fd=top, onerror=_stop):
                if Path(folder).parts[DEEP:]:
                    raise Unreadable(f"there are more than {DEEP} folders in one another.")
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
                                "%s: %s is too large, and left out.", student, ascii(name)
                            )
                            continue
                        left -= size
                        if left < 0:
                            raise Unreadable("it is larger than CourseDirectory.max_dir_size.")
                        _write(file, size, to / folder / name)

    def _check_owner(self, source: Path, student: str, owner: int) -> None:
        """Warn of what another has handed in, as nbgrader does."""
        import pwd  # which Windows has not, nor an exchange

        try:
            name = pwd.getpwuid(owner).pw_name
        except KeyError:
            name = "an unknown user"
        if self.check_owner and name != student:
            self.log.warning(
                "%s claims to be %s's, and belongs to %s. Where that is no sign of cheating, set "
                "c.ExchangeCollect.check_owner = False.",
                source,
                student,
                name,
            )

    def _is_ignored(self, name: str) -> bool:
        return any(fnmatch.fnmatch(name, pattern) for pattern in self.coursedir.ignore)


def _stop(problem: OSError) -> None:
    """Not to leave out in silence what cannot be read."""
    raise problem


@contextmanager
def _opened(folder: Path) -> Iterator[int]:
    """A folder that is no link. Raises Unreadable, OSError."""
    if folder.is_symlink() or not folder.is_dir():
        raise Unreadable("what was handed in is no folder.")
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


@contextmanager
def _plain_file(name: str, folder: int) -> Iterator[int]:
    """A file in an open folder, with no second name elsewhere. Raises Unreadable, OSError."""
    if not _is_plain(os.lstat(name, dir_fd=folder)):  # a pipe or a device may act when it is opened
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
    return Unreadable(f"{name!a} is a link, or no file. Ask for the file itself.")


def _write(source: int, size: int, path: Path) -> None:
    """Copy so many bytes of an open file: whoever owns it may be writing to it."""
    with path.open("xb") as file:
        while size > 0 and (data := os.read(source, min(size, CHUNK))):
            file.write(data)
            size -= len(data)


class Extractor(ExtractorPlugin):
    """Lay out what was downloaded as it is: the engine reads archives in memory, with limits."""

    def extract(self, archive_path: str, extracted_path: str) -> None:
        """Copy each file that is one, and that can be copied."""
        for folder, folders, names in os.walk(archive_path):
            inside = Path(folder).relative_to(archive_path)
            if len(inside.parts) >= DEEP:  # os.walk itself fails a thousand folders down
                self.log.error("%s is passed over: it is too deep in other folders.", folder)
                folders.clear()
                continue
            for name in sorted([*folders, *names]):
                source = Path(folder) / name
                if source.is_symlink() or not (source.is_file() or source.is_dir()):
                    self.log.error("%s is passed over: it is a link, or no file.", source)
                elif source.is_file():
                    self._copy(source, Path(extracted_path) / inside / name)

    def _copy(self, source: Path, to: Path) -> None:
        try:
            to.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, to)
        except OSError as problem:
            self.log.error("%s is passed over: %s.", source, problem.strerror)


class Collector(FileNameCollectorPlugin):
    """Whose a downloaded file is, by the folder of the course it is in and nothing further down."""

    def __init__(self, **named: Any) -> None:
        super().__init__(**named)
        self._taken: dict[str, set[str]] = {}  # by student, the names of their files

    def collect(self, submitted_file: str) -> dict[str, str] | None:
        """Return student_id and file_id, or None for what counts for nobody. What an instructor has
        set as named_regexp decides instead."""
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
        if any(_is_in_the_way(name, other) for other in taken):  # nbgrader would end for all
            self.log.error(
                "%s is passed over: %s has handed in another %s. Delete the one that does not "
                "count, and collect again.",
                submitted_file,
                student,
                name,
            )
            return None
        taken.add(name)
        return {"student_id": student, "file_id": name}


def _is_in_the_way(name: str, other: str) -> bool:
    """Return whether two files cannot be in one folder: they have one name, or a folder's."""
    return name == other or name.startswith(f"{other}/") or other.startswith(f"{name}/")


def _whose(parts: tuple[str, ...], assignment: str) -> tuple[str, str]:
    """The student to whom a downloaded file belongs, and its name there; "" for both if nobody."""
    first, *inside = parts
    if inside:
        is_work = form(inside[-1]) or archives.is_archive(inside[-1])
        return (first, "/".join(inside)) if is_work else ("", "")
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
