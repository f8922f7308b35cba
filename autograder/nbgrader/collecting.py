"""Collect submissions from nbgrader's exchange.

Students control its files. Links, and submissions above the limits, are refused for their student
alone, with a message; all others are collected.
"""

from __future__ import annotations

import os
import tempfile
from datetime import datetime
from pathlib import Path
from typing import Any

from nbgrader.exchange.default import ExchangeCollect

from autograder.nbgrader.copying import (
    TWO_FORMS,
    Copying,
    brought_near,
    opened,
    temporary,
    why_anothers,
    why_no_place,
    why_two_forms,
)
from autograder.nbgrader.times import TIMESTAMP, is_time_unreadable, submission_name, time_of
from autograder.nbgrader.trouble import sentence, stops_all
from autograder.submissions import ids
from autograder.submissions.files import Unreadable

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
        reason = "nbgrader submit gives no such name."
        if found := submission_name(name, self.coursedir.assignment_id):
            student, handed = found
            try:
                ids.checked(student)
                return {"username": student, "filename": name, "timestamp": handed}
            except ids.NoId as problem:
                reason = str(problem)
        self.log.error("%s is skipped: %s", ascii(path), reason)
        return {"username": name, "filename": "", "timestamp": datetime.min}

    def copy_files(self) -> None:
        """Copy plain files to a temporary folder, and let nbgrader decide what to collect there.

        A full disk stops the command; the next one collects what is missing.
        """
        self.src_records = self._told_apart()
        inbound, checks_owner = self.inbound_path, self.check_owner
        try:
            with temporary(Path(self.coursedir.root)) as copies:
                self.src_records = [
                    record for record in self.src_records if self._is_copied(record, copies)
                ]
                self.inbound_path = str(copies)
                self.check_owner = False  # the originals were checked
                super().copy_files()
        except OSError as problem:
            self.fail(sentence(problem))
        finally:
            self.inbound_path, self.check_owner = inbound, checks_owner

    def _told_apart(self) -> list[Record]:
        """Return the records, without those that are to be skipped or whose students look the same.

        A name is not changed: it is that of a user of the system.
        """
        records = [record for record in self.src_records if record["filename"]]
        spelled: dict[str, set[str]] = {}
        for record in records:
            spelled.setdefault(ids.composed(record["username"]), set()).add(record["username"])
        for student, names in spelled.items():
            if len(names) > 1:
                two = TWO_FORMS.format(*sorted(names)[:2])
                self.log.error("%s is not collected: %s", student, two)
        return [one for one in records if len(spelled[ids.composed(one["username"])]) == 1]

    def do_copy(self, src: str, dest: str, log: object = None) -> None:
        """Copy a folder wholly or not at all: nbgrader takes a part of it for a submission."""
        unfinished = Path(tempfile.mkdtemp(dir=Path(src).parent), "unfinished")
        super().do_copy(src, str(unfinished), log)
        brought_near(unfinished, Path(dest)).rename(dest)

    def _is_copied(self, record: Record, copies: Path) -> bool:
        """Copy a student's files if nbgrader needs them. Returns False if nothing is to collect.

        Raises OSError if the same would happen to all others.
        """
        student, name = record["username"], record["filename"]
        collected = self.coursedir.format_path(
            self.coursedir.submitted_directory, student, self.coursedir.assignment_id
        )
        folder = Path(collected).parent
        if reason := why_anothers(folder) or why_two_forms(folder):
            self.log.error("%s is not collected: %s", student, reason)
            return False
        if os.path.isdir(collected) and not (self.update or self.before_duedate):
            return True  # nbgrader leaves it as it is
        if reason := why_no_place(Path(collected)):  # nbgrader would stop for the class
            self.log.error("%s is not collected: %s", student, reason)
            return False
        to = copies / name
        to.mkdir()
        try:
            self._copy(Path(self.inbound_path) / name, to, student)
            self._add_time(to, student, record["timestamp"])
        except Unreadable as reason:
            self.log.error("%s is not collected: %s Nothing was changed.", student, reason)
            return False
        except OSError as problem:
            if stops_all(problem):
                raise
            said = sentence(problem)
            self.log.error("%s is not collected: %s Nothing was changed.", student, said)
            return False
        return True

    def _copy(self, source: Path, to: Path, student: str) -> None:
        """Copy a student's folder. Raises Unreadable if it has other than plain files, OSError."""
        with opened(source) as top:
            self._check_owner(source, student, os.fstat(top).st_uid)
            Copying(self.coursedir, student, self.log).folder(top, to)

    def _add_time(self, copied: Path, student: str, time: datetime) -> None:
        """Write the time in a folder's name where the file of the time is not there or has none.

        Raises Unreadable, OSError.
        """
        path = copied / TIMESTAMP
        if path.is_dir():
            raise Unreadable(f"{TIMESTAMP} is a folder, not a file.")
        if is_time_unreadable(copied):
            self.log.warning(
                "%s: %s contains no valid time. The time in the folder's name counts.",
                student,
                TIMESTAMP,
            )
        if not time_of(copied):
            path.write_text(f"{time:%Y-%m-%d %H:%M:%S.%f} UTC", "utf-8")

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
