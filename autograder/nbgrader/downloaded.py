"""Copy the files and folders of one student from a download."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from autograder.nbgrader.copying import (
    MAX_DEPTH,
    TWO_FORMS,
    Copying,
    Wanted,
    opened,
    why_anothers,
)
from autograder.nbgrader.times import TIMESTAMP
from autograder.nbgrader.trouble import sentence, stops_all
from autograder.report.writing import listed
from autograder.submissions.files import Unreadable, in_time
from autograder.submissions.folders import within
from autograder.submissions.kinds import unread

MOST_NAMED = 5  # files in a line
TWICE = (
    "{!a} and {!a} are both {!a} of this student. Delete the one that does not count, and collect "
    "again."
)


@dataclass(frozen=True)
class Entry:
    """A file or folder in a download. student: as written in its name, or "".

    own: the name of a file in the student's folder; "" for a folder.
    """

    path: Path
    student: str
    own: str = ""


class Downloaded:
    """The files and folders of one student.

    wanted: what in a folder of theirs is copied. counts: whether a file of this name may be a
    submission; without one, none of the files is collected. name: the student's, as it is in the
    first of them. refused: why none of them is collected, or "". left_out: names of files that are
    not, one text for each folder.
    """

    def __init__(
        self,
        copying: Copying,
        wanted: Callable[[Path, Path, bool], bool],
        counts: Callable[[str], bool],
        name: str,
    ) -> None:
        self.left_out: list[str] = []
        self._copying = copying
        self._wanted = wanted
        self._counts = counts
        self._name = name
        self._problem = ""
        self._empty: list[str] = []  # why each file or folder has no submission, or ""
        self._copies: list[Path] = []
        self._files: dict[str, Path] = {}  # where files come from, by names in the student's folder
        self._folders: dict[str, Path] = {}  # and the folders in which they are

    @property
    def refused(self) -> str:
        return self._problem or (self._empty[0] if all(self._empty) else "")

    def take(self, entry: Entry, to: Path) -> None:
        """Copy a file or a folder; if that fails, take nothing more.

        Raises OSError if all others would fail.
        """
        source = entry.path
        if entry.student != self._name:
            self._problem = TWO_FORMS.format(self._name, entry.student)
        if self._problem:
            return
        if anothers := why_anothers(to):
            self._problem = anothers
            return
        self._copies.append(to)
        wanted = partial(self._wanted, source)
        self._problem = _why_not_copied(self._copying, source, to, wanted) or self._clash(entry, to)
        if self._problem:
            return
        is_empty = not self._has_submission(to)
        self._empty.append(self._why_empty(source) if is_empty else "")
        if not is_empty and (names := self._left_out(source, to)):
            self.left_out.append(names)

    def _clash(self, entry: Entry, copied: Path) -> str:
        """Return why the files of an entry cannot lie in the student's folder, or "".

        Another one that was copied before may have the place: nobody knows which of them counts.
        """
        for path in filter(Path.is_file, [copied, *copied.rglob("*")]):
            name = entry.own or path.relative_to(copied).as_posix()
            above = [str(parent) for parent in Path(name).parents]
            taken = [self._files.get(place) for place in (name, *above)]
            if other := next(filter(None, [*taken, self._folders.get(name)]), None):
                return TWICE.format(other.name, entry.path.name, name)
            self._files[name] = entry.path
            self._folders.update(dict.fromkeys(above, entry.path))
        return ""

    def remove(self) -> None:
        """Remove all copies."""
        for path in self._copies:
            remove(path)

    def _has_submission(self, copied: Path) -> bool:
        there = copied.rglob("*") if copied.is_dir() else [copied]
        return any(path.is_file() and self._counts(path.name) for path in there)

    def _why_empty(self, source: Path) -> str:
        """Return why no submission was copied from a file or folder."""
        if not source.is_dir():
            if self._counts(source.name):
                return f"{source} is too large. Ask for a smaller file."
            return f"{source} {unread(source.name) or 'is no module, notebook or archive.'}"
        try:
            for path in within(source, MAX_DEPTH):
                if said := unread(path.name):
                    return f"{path} {said}"
        except Unreadable as reason:
            return str(reason)
        return f"{source} holds no module, notebook or archive. Ask for one."

    def _left_out(self, source: Path, copied: Path) -> str:
        """Return the names of files in a folder of which only others were copied, or "".

        If there are too many to list, say so.
        """
        if not copied.is_dir():
            return ""
        try:
            there = [*within(source, MAX_DEPTH)]
        except Unreadable as reason:
            return str(reason)
        others = [
            str(path.relative_to(source))
            for path in there
            if os.path.isfile(path) and not self._counts(path.name) and path.name != TIMESTAMP
        ]
        names = [name for name in others if not (copied / name).exists()]
        return listed(names, MOST_NAMED)


def _why_not_copied(copying: Copying, source: Path, to: Path, wanted: Wanted) -> str:
    """Copy a file, or what is wanted in a folder.

    Returns why not, or "". Raises OSError if all others would fail.
    """
    try:
        if source.is_dir() and not source.is_symlink():
            to.mkdir()
            with opened(source) as top, in_time(source):
                copying.folder(top, to, wanted)
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


def remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
