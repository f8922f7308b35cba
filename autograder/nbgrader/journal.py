"""The journal of a regrade: it records all changes, so that they can be finished or undone.

A journal is a folder. It is complete before the gradebook changes; the gradebook changes in one
transaction; only then are files replaced. After a process was killed, the next command reads from
the journal's state how to go on.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
from nbgrader.api import Comment, Grade, Gradebook, GradeCell, SourceCell, SubmittedNotebook

from autograder import parsing, plain_file, whole_file
from autograder.errors import NbgraderError
from autograder.nbgrader.places import Places
from autograder.nbgrader.trouble import CannotRun
from autograder.parsing import DamagedData
from autograder.plain_file import NotPlain, TooLarge
from autograder.submissions.source_text import MAX_NOTEBOOK

JOURNAL, STATE, BEFORE, AFTER = "journal.json", "state", "before", "after"  # in the folder
UNFINISHED = ".unfinished"
APPLYING, DONE, UNDOING = "applying", "done", "undoing"
MOST, MOST_STATE = 200_000_000, 100  # bytes of the journal, which lists a class, and of its state
TABLES = {
    "grade": Grade,
    "notebook": SubmittedNotebook,
    "comment": Comment,
    "cell": GradeCell,
    "source": SourceCell,
}
COLUMNS = {
    "grade": ("auto_score", "needs_manual_grade"),
    "notebook": ("late_submission_penalty",),
    "comment": ("auto_comment",),
    "cell": ("max_score",),
    "source": ("checksum",),
}
PEOPLES = {"grade": ("manual_score", "extra_credit")}  # what people set, in a row that changes
DAMAGED = (
    "{} is damaged: files in it are missing, or were changed. The last regrade cannot be undone, "
    "nor finished if it was interrupted. Move that folder out of the course and run this again; "
    "make regrade then shows what the gradebook lacks."
)
MANUAL_FLAG = "needs_manual_grade"  # people change this column in the formgrader


class CannotUndo(NbgraderError):
    """A regrade cannot be undone; the text says why and what to do."""


@dataclass(frozen=True)
class Row:
    """A row of the gradebook that changes.

    values: before and after, by column. peoples: what people had set in the row until then.
    """

    table: str
    id: str
    student: str
    what: str
    values: Mapping[str, tuple[Any, Any]]
    peoples: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class _Kept:
    """Contents of the journal's file. files: paths relative to the course's folder."""

    assignment: str
    rows: list[Row]
    files: list[str]


def changed(table: str, row: Any, student: str, what: str, before: Mapping[str, Any]) -> list[Row]:
    """Return the row with its changes since `columns` gave `before`; an empty list if none."""
    now = columns(table, row)
    values = {name: (before[name], now[name]) for name in now if now[name] != before[name]}
    peoples = {name: getattr(row, name) for name in PEOPLES.get(table, ())}
    return [Row(table, row.id, student, what, values, peoples)] if values else []


def columns(table: str, row: Any) -> dict[str, Any]:
    """Return the values of a row that a regrade may change."""
    return {name: getattr(row, name) for name in COLUMNS[table]}


class Journal:
    """The journal of one regrade of an assignment. Raises DamagedData if it cannot be read."""

    def __init__(self, root: Path, folder: Path) -> None:
        self._root = root
        self._folder = folder
        kept = parsing.read(folder / JOURNAL, MOST, _decode)
        self.assignment, self._rows, self._files = kept.assignment, kept.rows, kept.files

    @property
    def state(self) -> str:
        """How far the regrade has come. Raises DamagedData."""
        return parsing.read(self._folder / STATE, MOST_STATE, bytes.decode)

    @property
    def is_whole(self) -> bool:
        """Return whether its state and tables are known and all copies of files are there."""
        numbers = range(len(self._files))
        copies = [self._folder / kind / str(i) for i in numbers for kind in (BEFORE, AFTER)]
        is_known = all(
            row.table in TABLES
            and row.values.keys() <= {*COLUMNS[row.table]}
            and row.peoples.keys() <= {*PEOPLES.get(row.table, ())}
            for row in self._rows
        )
        is_state = self.state in (APPLYING, DONE, UNDOING)
        return is_state and is_known and all(map(Path.is_file, copies))

    def check(self, gradebook: Gradebook) -> None:
        """Check that nothing has changed since the regrade. Raises CannotUndo."""
        for row in self._rows:
            found = gradebook.db.get(TABLES[row.table], row.id)
            kept = {name: (value, value) for name, value in row.peoples.items()}
            for name, (before, after) in {**row.values, **kept}.items():
                now = getattr(found, name, None)
                if now not in (before, after):
                    label = ", ".join(filter(None, (row.student, row.what)))
                    raise CannotUndo(
                        f"{label}: {name} is {now}, and was {after} after the regrade. Somebody "
                        "has changed it since; nothing was undone."
                    )
        for number, name in enumerate(self._files):
            if self._current_digest(name) not in (None, *self._digests(number)):
                raise CannotUndo(
                    f"{name} was written again after the regrade, for example by make autograde; "
                    "nothing was undone."
                )

    def is_committed(self, gradebook: Gradebook) -> bool:
        """Return whether the gradebook was changed. The change is atomic."""
        rows = [(row, gradebook.db.get(TABLES[row.table], row.id)) for row in self._rows]
        changes = [
            getattr(found, name, None) == after
            for row, found in rows
            for name, (_, after) in row.values.items()
            if name != MANUAL_FLAG
        ]
        return any(changes) or not changes

    def finish(self) -> None:
        """Replace the old files with the new ones, except those that somebody has changed since."""
        for number, name in enumerate(self._files):
            if self._current_digest(name) in (None, self._digests(number)[0]):
                self._replace(name, AFTER, number)
        self._enter(DONE)

    def undo(self, gradebook: Gradebook) -> None:
        """Restore the gradebook and the files. Raises CannotUndo, and then has changed nothing."""
        if self.state != UNDOING:
            self.check(gradebook)
            self._enter(UNDOING)
        for row in self._rows:
            found = gradebook.db.get(TABLES[row.table], row.id)
            if found is not None:  # a student may have been removed since
                for name, (before, _) in row.values.items():
                    setattr(found, name, before)
        gradebook.db.commit()
        for number, name in enumerate(self._files):
            self._replace(name, BEFORE, number)
        self.drop()

    def drop(self) -> None:
        """Delete the journal."""
        gone = self._folder.parent / UNFINISHED
        shutil.rmtree(gone, ignore_errors=True)
        self._folder.rename(gone)  # atomic: no command could use a partly deleted journal
        shutil.rmtree(gone)

    def _current_digest(self, name: str) -> str | None:
        path = self._root / name
        return _digest(path) if path.exists() else None

    def _digests(self, number: int) -> tuple[str, str]:
        before, after = (self._folder / kind / str(number) for kind in (BEFORE, AFTER))
        return _digest(before), _digest(after)

    def _replace(self, name: str, kind: str, number: int) -> None:
        """Write a file atomically, with the permissions that it had."""
        path, unfinished = self._root / name, self._folder / UNFINISHED
        shutil.copy2(self._folder / kind / str(number), unfinished)  # with its mode
        path.parent.mkdir(parents=True, exist_ok=True)
        _sync(unfinished)
        os.replace(unfinished, path)

    def _enter(self, state: str) -> None:
        whole_file.write(self._folder / STATE, state)


def begin(places: Places, assignment: str, rows: list[Row], files: Mapping[Path, bytes]) -> Journal:
    """Write a journal before anything changes. files: the new contents by path. Raises OSError."""
    unfinished = places.regrades / UNFINISHED
    shutil.rmtree(unfinished, ignore_errors=True)
    try:
        for kind in (BEFORE, AFTER):
            (unfinished / kind).mkdir(parents=True)
        for number, (path, data) in enumerate(files.items()):
            before, after = (unfinished / kind / str(number) for kind in (BEFORE, AFTER))
            shutil.copy2(path, before)  # with its times, which the formgrader compares
            after.write_bytes(data)
            shutil.copymode(path, after)
            _sync(before)
            _sync(after)
        names = [str(path.relative_to(places.root)) for path in files]
        kept = msgspec.json.encode(_Kept(assignment, rows, names))
        whole_file.write(unfinished / JOURNAL, kept)
        whole_file.write(unfinished / STATE, APPLYING)
        last = max((int(folder.name) for folder in _numbered(places)), default=0)
        folder = unfinished.rename(places.regrades / str(last + 1))
    except BaseException:
        shutil.rmtree(unfinished, ignore_errors=True)
        raise
    return Journal(places.root, folder)


def _numbered(places: Places) -> list[Path]:
    return [path for path in places.regrades.glob("[0-9]*") if path.name.isdecimal()]


def last(places: Places) -> Journal | None:
    """Return the journal of the last regrade that was not undone, or None.

    Raises CannotRun if it is damaged.
    """
    folders = [folder for folder in _numbered(places) if (folder / STATE).exists()]
    newest = max(folders, key=lambda folder: int(folder.name), default=None)
    if newest is None:
        return None
    with contextlib.suppress(DamagedData):  # gone or edited
        found = Journal(places.root, newest)
        if found.is_whole:
            return found
    raise CannotRun(DAMAGED.format(newest))


def recover(places: Places, gradebook: Gradebook) -> str:
    """Finish or drop what a killed process has begun. Returns a sentence on that, or "".

    Raises OSError.
    """
    found = last(places)
    if found is None or found.state == DONE:
        return ""
    if found.state == UNDOING:
        found.undo(gradebook)
        return (
            f"The undoing of a regrade of {found.assignment} was interrupted; it is finished now."
        )
    if found.is_committed(gradebook):
        found.finish()
        return f"A regrade of {found.assignment} was interrupted; it is finished now."
    found.drop()
    return f"A regrade of {found.assignment} was interrupted before anything changed."


def _sync(path: Path) -> None:
    """Write a file to the disk before the next step."""
    with open(path, "rb") as file:
        os.fsync(file.fileno())


def _digest(path: Path) -> str:
    """Return the digest of a file; "" for anything else. Raises OSError."""
    try:
        return hashlib.sha256(plain_file.read(path, MAX_NOTEBOOK)).hexdigest()
    except (NotPlain, TooLarge):
        return ""


def _decode(data: bytes) -> _Kept:
    return msgspec.json.decode(data, type=_Kept)
